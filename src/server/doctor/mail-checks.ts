import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseMailDomain, type Settings } from '../../core/config.js';
import { openEmail } from '../../notifications/channels/email/open-email.js';
import { StoredRefreshToken } from '../../notifications/mail-tokens/stored-refresh-token.js';
import { type Check, type DoctorContext, failed, type Finding, ok, skipped, warning } from './check.js';

const timeouts = { connectMs: 4_000, replyMs: 4_000, idleMs: 1_000, queueMs: 4_000 };

/** Connects, encrypts and signs in as for a mail. */
export const checkMailServer: Check = async ({ settings, database }) => {
  const { host } = new URL(settings.smtpUrl || 'smtp://none');
  const refreshToken = new StoredRefreshToken(settings);
  refreshToken.database = await database.catch(() => null);
  const channel = openEmail(settings, timeouts, refreshToken);
  if (!channel) return skipped('SMTP_URL is not set: no e-mail is sent.');
  try {
    const { isEncrypted, isLocal } = await channel.verify();
    if (isEncrypted) return ok(`${host} accepts the connection, which is encrypted.`);
    return isLocal
      ? ok(`${host} accepts the connection, which stays on this machine.`)
      : warning(`${host} accepts the connection, which is not encrypted.`, 'Add ?tls=required to SMTP_URL if it can.');
  } catch (error) {
    return failed(`${host}: ${(error as Error).message}`, 'Correct SMTP_URL, or what the mail server says.');
  } finally {
    await channel.close();
  }
};

/** A check of the DNS records of the sender's domain, by which receivers judge mails. */
const onMailDomain =
  (check: (domain: string, context: DoctorContext) => Promise<Finding>): Check =>
  async context => {
    const { settings } = context;
    if (!settings.smtpUrl) return skipped('SMTP_URL is not set: no e-mail is sent.');
    const domain = parseMailDomain(settings);
    try {
      return await check(domain, context);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!code) throw error;
      return warning(`DNS does not answer for ${domain} (${code}).`, 'Repeat the check, or set DNS_SERVERS.');
    }
  };

export const checkSpf = onMailDomain(async (domain, { resolveTxt }) => {
  const records = (await resolveTxt(domain)).filter(text => /^v=spf1( |$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return warning(
      `${domain} has no SPF record.`,
      `Create a TXT record at ${domain} that names your mail server, such as v=spf1 include:<your provider> -all.`,
    );
  if (records.length > 1)
    return failed(`${domain} has ${records.length} SPF records, and so none that is valid.`, 'Merge them into one.');
  return /\s\+?all\b/i.test(record)
    ? warning(`The SPF record of ${domain} lets any machine send: ${record}`, 'End it with -all or ~all.')
    : ok(`${domain}: ${record}. That it names your mail server is for you to see.`);
});

export const checkDkim = onMailDomain(async (_, { settings, resolveTxt }) => {
  const { dkimDomain, dkimSelector, dkimPrivateKeyFile } = settings;
  if (!dkimDomain) return skipped('No DKIM key is configured: the mail server may sign.');
  const name = `${dkimSelector}._domainkey.${dkimDomain}`;
  const record = (await resolveTxt(name)).find(text => /(^|;)\s*p=/i.test(text));
  const expected = readPublicKey(dkimPrivateKeyFile);
  const remedy = `Create a TXT record at ${name}: v=DKIM1; k=rsa; p=${expected}`;
  if (record === undefined) return failed(`There is no DKIM record at ${name}.`, remedy);
  const key = /(?:^|;)\s*p=([^;]*)/i.exec(record)![1]!.replace(/\s/g, '');
  return key === expected
    ? ok(`The record at ${name} has the key that signs.`)
    : failed(`The record at ${name} has another key than the one that signs.`, remedy);
});

/** A file that cannot be read is reported by the check of the mail server. */
const readPublicKey = (privateKeyFile: string): string =>
  createPublicKey(readFileSync(privateKeyFile)).export({ type: 'spki', format: 'der' }).toString('base64');

export const checkDmarc = onMailDomain(async (domain, { resolveTxt, settings }) => {
  const record = await findDmarc(domain, resolveTxt);
  if (!record)
    return warning(
      `Neither ${domain} nor a domain above it has a DMARC record.`,
      `Create a TXT record at _dmarc.${domain}, such as v=DMARC1; p=none; rua=mailto:${findReportAddress(settings)}.`,
    );
  return ok(`${record.name}: ${record.text}`);
});

const findReportAddress = ({ operatorEmail }: Settings) => operatorEmail || '<your address>';

/** The record of the nearest domain applies, up to the one below a top-level domain. */
async function findDmarc(domain: string, resolveTxt: DoctorContext['resolveTxt']) {
  for (let parent = domain; parent.includes('.'); parent = parent.slice(parent.indexOf('.') + 1)) {
    const name = `_dmarc.${parent}`;
    const text = (await resolveTxt(name)).find(value => /^v=DMARC1\s*(;|$)/i.test(value));
    if (text) return { name, text };
  }
  return null;
}
