import { useState } from 'react';
import { ChannelsDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { ChannelRow } from './channel-row.tsx';
import { ConfigureChannel } from './configure-channel.tsx';
import type { PageChannel } from './kinds.ts';
import { TestChannel } from './test-channel.tsx';
import { Webhooks } from './webhooks.tsx';
import styles from '../ui/list.module.css';

type Open = { dialog: 'configure' | 'test'; channel: PageChannel };

/** By which ways the page notifies: what each needs, and what its server said last. */
export default function Channels({ pageId }: { pageId: string }) {
  const { page } = useRead(ChannelsDocument, { pageId });
  const [open, setOpen] = useState<Open | null>(null);
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  const close = () => setOpen(null);
  return (
    <>
      <ScreenHeader title="Channels" above={page.name} />
      <p className={styles.quiet}>
        E-mail, SMS and push messages go to each subscriber. The other channels post to one chat or account for
        everyone, and webhooks to your programs.
      </p>
      <ul>
        {page.channels.map(channel =>
          channel.channel === 'WEBHOOK' ? (
            <Webhooks key={channel.channel} pageId={pageId} channel={channel} />
          ) : (
            <ChannelRow
              key={channel.channel}
              pageId={pageId}
              channel={channel}
              onConfigure={() => setOpen({ dialog: 'configure', channel })}
              onTest={() => setOpen({ dialog: 'test', channel })}
            />
          ),
        )}
      </ul>
      {open?.dialog === 'configure' && <ConfigureChannel pageId={pageId} channel={open.channel} onClose={close} />}
      {open?.dialog === 'test' && <TestChannel pageId={pageId} channel={open.channel} onClose={close} />}
    </>
  );
}
