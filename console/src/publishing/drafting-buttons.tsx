import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './publishing.module.css';

/** What can be done without publishing. */
export interface Drafting {
  isPending: boolean;
  save: () => void;
  askForReview: () => void;
}

interface Props {
  drafting: Drafting | undefined;
  pageCount: number;
  children: ReactNode;
}

/** For those who may not publish: what they can do stands where others publish. */
export const DrafterButtons = ({ drafting, pageCount, children }: Props) => (
  <div className={styles.buttons}>
    <p>{describeRole(drafting, pageCount)}</p>
    {drafting && (
      <Button look="primary" type="submit" isLarge disabled={drafting.isPending}>
        Ask for a review
      </Button>
    )}
    {children}
    {drafting && (
      <Button isLarge disabled={drafting.isPending} onClick={drafting.save}>
        Save as a draft
      </Button>
    )}
  </div>
);

function describeRole(drafting: Drafting | undefined, pageCount: number): string {
  if (drafting) return 'Your role can save drafts. A publisher reviews and publishes them.';
  if (pageCount > 1) return 'Your role can save drafts, of one page at a time.';
  return 'Your role cannot publish. A publisher reviews and publishes this.';
}

/** For those who may publish, shown below the buttons that publish. */
export const QuietDraftButtons = ({ isPending, save, askForReview }: Drafting) => (
  <>
    <Button look="quiet" disabled={isPending} onClick={save}>
      Save as a draft
    </Button>
    <Button look="quiet" disabled={isPending} onClick={askForReview}>
      Ask for a review
    </Button>
  </>
);
