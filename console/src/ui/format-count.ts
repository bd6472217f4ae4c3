const format = new Intl.NumberFormat('en');

export const formatCount = (count: number): string => format.format(count);
