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

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).refine(value => Number.isInteger(value) && value >= min && value <= max, message);
};

const choices = new Intl.ListFormat('en', { type: 'disjunction' });

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be ${choices.format(values)}`);

export const flag = oneOf(['true', 'false']).transform(value => value === 'true');

/** Headers that the service sets itself, or that a mail server adds. */
const ownHeaders = [
  'from',
  'to',
  'cc',
  'bcc',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'references',
  'in-reply-to',
  'mime-version',
  'auto-submitted',
  'x-auto-response-suppress',
  'return-path',
  'received',
  'dkim-signature',
];
const isOwnHeader = (name: string) => ownHeaders.includes(name) || /^(content|list|arc|resent)-/.test(name);

/** `Name: value`, one a line, or parted by semicolons that a name follows. */
export const mailHeaders = z.string().transform((text, { issues, value: input }) => {
  const headers: Record<string, string> = {};
  const refuse = (message: string) => void issues.push({ code: 'custom', message, input });
  for (const line of text.split(/\r?\n|;\s*(?=[\w-]+:)/).filter(part => part.trim())) {
    const [, name, value] = /^([A-Za-z0-9-]{1,76}):\s*([\x20-\x7e]{1,900})$/.exec(line.trim()) ?? [];
    if (!name || !value) refuse('must be lines of Name: value, in ASCII');
    else if (isOwnHeader(name.toLowerCase())) refuse(`must not have ${name}, which the service sets`);
    else if (Object.keys(headers).some(other => other.toLowerCase() === name.toLowerCase()))
      refuse(`must have ${name} once`);
    else headers[name] = value.trim();
  }
  return headers;
});
