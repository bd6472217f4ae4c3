import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './publishing.module.css';

/** What can be done without publishing. */
export interface Drafting {
  isPending: boolean;
  save: () => void;
  askForReview: () => void;
}

/** For those who may not publish: what they can do stands where others publish. */
export const DrafterButtons = ({ drafting, children }: { drafting: Drafting | undefined; children: ReactNode }) => (
  <div className={styles.buttons}>
    <p>
      {drafting
        ? 'Your role can save drafts. A publisher reviews and publishes them.'
        : 'Your role can save drafts, of one page at a time.'}
    </p>
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

/** For those who may publish, below the buttons that do. */
export const DraftLinks = ({ isPending, save, askForReview }: Drafting) => (
  <>
    <Button look="quiet" disabled={isPending} onClick={save}>
      Save as a draft
    </Button>
    <Button look="quiet" disabled={isPending} onClick={askForReview}>
      Ask for a review
    </Button>
  </>
);
