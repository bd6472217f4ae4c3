import { createNotice, defaults, listNotices, updateNotice } from './client.ts';

/** What all calls use: the address of the service, and a token with the role PUBLISHER or OWNER. */
export function configure(serviceUrl: string, token: string): void {
  defaults.baseUrl = `${serviceUrl}/v1`;
  defaults.headers = { Authorization: `Bearer ${token}` };
}

/** Opens an incident, unless one with this subject is open. Returns its id. */
export async function openIncident(pageId: string, subject: string, content: string): Promise<number> {
  const open = await listNotices(pageId, { filter: { subject_eq: subject, timeline_state_eq: 'present' } });
  if (open.response[0]) return open.response[0].id;
  const incident = { type: 'unplanned', subject, initial_comment: content, should_publish: true } as const;
  // With the same key, a retry creates no second one.
  const { response } = await createNotice(pageId, incident, { idempotencyKey: crypto.randomUUID() });
  return response.id;
}

export async function resolveIncident(pageId: string, noticeId: number, content: string): Promise<void> {
  await updateNotice(pageId, noticeId, { state_event: 'close', additional_comment: content, should_publish: true });
}

if (import.meta.main) {
  const { SERVICE_URL = 'http://localhost:3000', TOKEN = '', PAGE = '' } = process.env;
  configure(SERVICE_URL, TOKEN);
  const id = await openIncident(PAGE, 'Slow responses', 'We are looking into it.');
  console.log(`The incident ${id} is open.`);
  await resolveIncident(PAGE, id, 'It is fast again.');
  console.log(`The incident ${id} is resolved.`);
}
