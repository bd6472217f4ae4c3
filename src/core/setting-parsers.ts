import { Resolver } from 'node:dns';
import proxyAddress from 'proxy-addr';
import { z } from 'zod';

export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean);

export const areAddresses = (list: string[]): boolean => {
  try {
    proxyAddress.compile(list);
    return true;
  } catch {
    return false;
  }
};

export const areDnsServers = (list: string[]): boolean => {
  try {
    new Resolver().setServers(list);
    return true;
  } catch {
    return false;
  }
};

export const urlSetting = (scheme: RegExp, message: string, requiresLogin = false) =>
  z.string().refine(value => {
    if (value === '') return true;
    if (!URL.canParse(value)) return false;
    const { protocol, hostname, username, password } = new URL(value);
    return (
      scheme.test(protocol.slice(0, -1)) && hostname !== '' && (!requiresLogin || (username !== '' && password !== ''))
    );
  }, message);

export const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce
    .number(message)
    .refine(value => Number.isInteger(value) && value >= minimum && value <= maximum, message);
};

const choices = new Intl.ListFormat('en', { type: 'disjunction' });

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be ${choices.format(values)}`);

export const flag = oneOf(['true', 'false']).transform(value => value === 'true');
