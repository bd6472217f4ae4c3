import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { MonthReportDocument, MonthReportsCsvDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { request } from '../api/transport.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import { saveCsv } from '../ui/files.ts';
import { describeMonth, listMonths } from './months.ts';
import { ReportSections } from './sections.tsx';
import styles from './reports.module.css';

/** A month of the page: its address names the month, and without one it is the present month. */
export default function Report({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('month');
  const [failure, setFailure] = useState<string>();
  const { data, error } = useLazyRead(MonthReportDocument, { pageId, month: chosen });
  const report = data?.page?.monthReports?.[0];
  const month = report?.month ?? chosen;
  const download = async () => {
    const { page } = await request(MonthReportsCsvDocument, { pageId, month });
    saveCsv(`report-${month}.csv`, page?.monthReportsCsv);
  };
  return (
    <>
      <ScreenHeader
        title={month ? `Report for ${describeMonth(month)}` : 'Report'}
        above={pages.find(page => page.id === pageId)?.name}
      >
        <div className={styles.tools}>
          <Button onClick={() => print()}>Print</Button>
          <Button onClick={() => download().catch((problem: Error) => setFailure(problem.message))}>
            CSV of 12 months
          </Button>
        </div>
      </ScreenHeader>
      <FormError>{failure ?? error?.message}</FormError>
      {month && (
        <div className={styles.month}>
          <Select label="Month" value={month} onChange={event => setParameters({ month: event.target.value })}>
            <Options of={listMonths(month).map(one => [one, describeMonth(one)])} />
          </Select>
        </div>
      )}
      {report && <ReportSections pageId={pageId} report={report} />}
    </>
  );
}
