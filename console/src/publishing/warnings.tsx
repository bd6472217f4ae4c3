import type { WarningCode } from '../api/documents.ts';
import type { Previewed } from './use-preview.ts';
import styles from './publishing.module.css';

/** Of the times of a maintenance. */
export const windowWarnings: WarningCode[] = ['SUMMER_TIME', 'WINDOW_PAST'];

/** Which the buttons say already. */
const buttonWarnings: WarningCode[] = ['NOT_PUBLISHED', 'UNCHANGED', 'NO_RECIPIENTS'];

interface Props {
  previews: Previewed[];
  /** Those to show, where they stand beside what causes them; the others are left out. */
  only?: WarningCode[];
  /** Those that are shown elsewhere. */
  except?: WarningCode[];
}

/** What the author may have overlooked. */
export function Warnings({ previews, only, except = [] }: Props) {
  const texts = previews
    .flatMap(({ preview }) => preview?.warnings ?? [])
    .filter(({ code }) => (only ?? [code]).includes(code) && ![...except, ...buttonWarnings].includes(code))
    .map(({ message }) => message);
  return [...new Set(texts)].map(text => (
    <p key={text} className={styles.warning}>
      {text}
    </p>
  ));
}
