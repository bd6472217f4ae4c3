const format = new Intl.NumberFormat('en');

export const formatCount = (count: number): string => format.format(count);

export const countSubscribers = (count: number): string =>
  count === 1 ? '1 subscriber' : `${formatCount(count)} subscribers`;
