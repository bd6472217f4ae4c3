const format = new Intl.NumberFormat('en');

export const formatCount = (count: number): string => format.format(count);

export const countSubscribers = (count: number): string =>
  count === 1 ? 'one subscriber' : `${formatCount(count)} subscribers`;
