/** Paths on a grid of 24, drawn as lines. */
const paths = {
  alert: 'M12 3 2.5 20h19zM12 10v4m0 3v.5',
  check: 'M4 12.5 9.5 18 20 6.5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3.5 2',
  wrench: 'M14.5 6.5a4 4 0 0 1 5-3.5l-2.5 3 1 2.5 3-.5a4 4 0 0 1-5.5 4L8 20.5 3.5 16l8.5-7.5Z',
  question: 'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1.2.6-1.5 1.3-1.5 2.8m0 3v.5',
  half: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 0v18',
  crossed: 'M6 6l12 12M18 6 6 18',
  megaphone: 'M4 10v4h3l8 5V5L7 10zM18.5 9a4 4 0 0 1 0 6',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  down: 'M6 9l6 6 6-6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  plus: 'M12 5v14M5 12h14',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  tree: 'M5 4v13h6M5 9h6M14 7h6v4h-6zM14 15h6v4h-6z',
  chart: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-4 2.5-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5m2 3.5c2 1 3 ' +
    '2.8 3 5.5',
  template: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h4',
  gear:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.1 2.1m8.6 8.6 2.1 2.1m0-12.8-2.1 ' +
    '2.1m-8.6 8.6-2.1 2.1',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  key: 'M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM11 12l-8 8m3-3 2.5 2.5',
  history: 'M4 5v5h5M4.5 10A8 8 0 1 1 4 13m8-5v4l3 2',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8.5c0-4 3-6 8-6s8 2 8 6',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  palette:
    'M12 3a9 9 0 1 0 0 18c2 0 2-1.5 1.5-2.5s0-2.5 1.5-2.5h2.5a3.5 3.5 0 0 0 3.5-3.5C21 7 17 3 12 3ZM7.5 12h.01M10 ' +
    '7.5h.01M15 7.5h.01',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9Z',
  phone: 'M8 3h8v18H8zM11 17.5h2',
  chat: 'M4 5h16v11H10l-4 4v-4H4z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4',
  report: 'M6 3h8l5 5v13H6zM14 3v5h5M9.5 17v-3M12.5 17v-5M15.5 17v-2',
  exchange: 'M4 8h15l-4-4M20 16H5l4 4',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name, size }: { name: IconName; size?: number }) => <Lines path={paths[name]} size={size} />;

/** Hidden from screen readers: a word stands beside every icon. */
export const Lines = ({ path, size = 20 }: { path: string; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);
