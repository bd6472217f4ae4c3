import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import list from '../ui/list.module.css';
import { canReceivePushes, endPush, findSubscription, subscribePush } from './push-subscription.ts';

/** Whether this browser gets push messages about drafts of alerts. */
export function AlertPush() {
  const { data: subscription, refetch } = useQuery({
    queryKey: ['push subscription'],
    queryFn: findSubscription,
    networkMode: 'always',
    enabled: canReceivePushes,
  });
  const onSettled = () => refetch();
  const start = useMutation({ mutationFn: subscribePush, networkMode: 'always', onSettled });
  const stop = useMutation({ mutationFn: endPush, networkMode: 'always', onSettled });
  const error = start.error ?? stop.error;
  return (
    <>
      <p className={list.quiet}>
        When alerts make a draft on a page where you may publish, this browser shows it. The message leads to a preview
        of exactly what would be published.
      </p>
      <FormError>{error?.message}</FormError>
      {canReceivePushes ? (
        <div className={list.pager}>
          {subscription ? (
            <Button disabled={stop.isPending} onClick={() => stop.mutate(subscription)}>
              Stop push messages to this browser
            </Button>
          ) : (
            <Button disabled={start.isPending} onClick={() => start.mutate()}>
              Send push messages to this browser
            </Button>
          )}
        </div>
      ) : (
        <p>
          This browser does not support push messages. On iPhone and iPad, add the console to the home screen first.
        </p>
      )}
    </>
  );
}
