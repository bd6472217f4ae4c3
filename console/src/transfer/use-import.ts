import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readSessionAgain } from '../api/hooks.ts';
import { sendImport, type Transfer } from './send.ts';

/** An import that is tried first, which writes nothing; the second press imports what the first has reported. */
export function useImport<Report extends { dryRun: boolean }>() {
  const client = useQueryClient();
  const [share, setShare] = useState<number | null>(null);
  const write = useMutation({
    mutationFn: (transfer: Transfer) => sendImport<Report>(transfer, setShare),
    onSettled: (_, error) => (error ? readSessionAgain(client) : undefined),
    onSuccess: ({ dryRun }) => (dryRun ? undefined : client.invalidateQueries()),
  });
  const report = write.data;
  return { ...write, share, report, isTried: report?.dryRun === true, isDone: report?.dryRun === false };
}
