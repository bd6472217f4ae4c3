import { Link, useSearchParams } from 'wouter';
import { useSession } from '../api/session.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { Progress } from '../publishing/progress.tsx';

/** What was published on several pages, and how far the messages of each are. */
export default function Published() {
  const session = useSession();
  const [parameters] = useSearchParams();
  const published = (parameters.get('on') ?? '').split(',').map(each => each.split('.'));
  return (
    <>
      <ScreenHeader title={`Published on ${published.length} pages`} />
      {published.map(([pageId = '', noticeId, publicationId]) => (
        <Section key={pageId} title={session.pages.find(({ id }) => id === pageId)?.name}>
          {publicationId && (
            <Progress pageId={pageId} publicationId={publicationId} mayStop={session.has('PUBLISHER', pageId)} />
          )}
          <p>
            <Link href={`/pages/${pageId}/notices/${noticeId}`}>Open the notice</Link>
          </p>
        </Section>
      ))}
    </>
  );
}
