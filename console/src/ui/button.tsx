import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Appearance {
  look?: Look;
  icon?: IconName;
  isLarge?: boolean;
  children: ReactNode;
}

const classOf = (look: Look, isLarge = false): string =>
  `${styles.button} ${styles[look]} ${isLarge ? styles.large : ''}`.trim();

export const Button = ({
  look = 'secondary',
  icon,
  isLarge,
  children,
  ...others
}: Appearance & ComponentProps<'button'>) => (
  <button type="button" {...others} className={classOf(look, isLarge)}>
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

export const ButtonLink = ({
  look = 'secondary',
  icon,
  isLarge,
  href,
  children,
  ...others
}: Appearance & { href: string; 'aria-keyshortcuts'?: string }) => (
  <Link href={href} {...others} className={classOf(look, isLarge)}>
    {icon && <Icon name={icon} />}
    {children}
  </Link>
);

/** To a document outside the console, in a tab of its own. */
export const OutsideLink = ({ look = 'secondary', icon, isLarge, href, children }: Appearance & { href: string }) => (
  <a href={href} target="_blank" rel="noreferrer" className={classOf(look, isLarge)}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
);
