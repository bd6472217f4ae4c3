import { Icon } from '../ui/icon.tsx';
import type { PagePlan } from './page-plan.ts';
import styles from './page-preview.module.css';

/** What comes out, while the form is filled in: the page does not exist yet, so it is drawn here. */
export function PagePreview({ plan: { name, components, colour } }: { plan: PagePlan }) {
  const names = components.filter(each => each.trim());
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.header}>
        <strong>{name.trim() || 'Your company'}</strong>
        <span className={styles.button} style={{ background: colour }}>
          Subscribe to updates
        </span>
      </div>
      <p className={styles.banner}>
        <Icon name="check" /> All systems operational
      </p>
      <ul>
        {names.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines can be the same for a moment
          <li key={index}>
            <span>{each}</span>
            <small>Operational</small>
            <span className={styles.bar} />
          </li>
        ))}
      </ul>
      <p className={styles.link}>
        <span style={{ color: colour }}>View history</span>
      </p>
    </section>
  );
}
