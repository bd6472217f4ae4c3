import { invalid, notFound } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { fitsMetadata, maxMetadataBytes } from '../../pages/metadata.js';
import { retryChange } from './attempts.js';
import { RetrieveIncident, UpdateIncident } from './incident-documents.js';
import { IncidentFields } from './incident-fields.js';
import { findPostmortem, type IncidentRecord } from './incident-record.js';
import { ChangeUpdate } from './incident-updates.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { changeMetadata, readStored } from './stored-fields.js';

const CreatePostmortem = /* GraphQL */ `
  mutation CreateStatuspagePostmortem($id: ID!, $input: CreateNoticeUpdateInput!) {
    result: createNoticeUpdate(noticeId: $id, input: $input) { update: noticeUpdate { id } }
  }`;

const DeletePostmortem = /* GraphQL */ `
  mutation DeleteStatuspagePostmortem($page: ID!, $incident: ID!, $id: ID!) {
    result: deleteNoticeUpdate(pageId: $page, noticeId: $incident, id: $id) { deletedId }
  }`;

export const postmortemDocuments = [CreatePostmortem, DeletePostmortem];

/** A text that is not published, which All Clear has no place for: it is stored with what has no counterpart. */
const readDraft = (record: IncidentRecord): string | null => {
  const { postmortem_draft: draft } = readStored(record);
  return typeof draft === 'string' ? draft : null;
};

function render(record: IncidentRecord) {
  const postmortem = findPostmortem(record);
  const draft = readDraft(record);
  if (!postmortem && draft === null) throw notFound('update');
  return {
    body: postmortem?.content ?? null,
    body_updated_at: postmortem?.updatedAt ?? null,
    body_draft: draft,
    body_draft_updated_at: draft === null ? null : record.updatedAt,
    created_at: postmortem?.createdAt ?? record.updatedAt,
    published_at: postmortem?.postedAt ?? null,
    notify_subscribers: postmortem?.isPublished ?? false,
    notify_twitter: false,
    custom_tweet: null,
  };
}

const read = ({ path: { page, id }, run }: StatuspageRequest) => run<IncidentRecord>(RetrieveIncident, { page, id });

const draftTooLong = problems.unusable(
  `must have at most ${maxMetadataBytes.toLocaleString('en')} bytes, with the metadata of the incident`,
);

const storeDraft = (request: StatuspageRequest, draft: string | null): Promise<void> =>
  retryChange(async () => {
    const { page, id } = request.path;
    const record = await read(request);
    const metadata = changeMetadata(record, { postmortem_draft: draft });
    if (!metadata) return;
    if (!fitsMetadata(metadata)) throw invalid({ body_draft: [draftTooLong] });
    const input = { metadata, shouldPublish: false };
    await request.run(UpdateIncident, { page, id, version: record.version, input });
  });

/** Posts the post-mortem, or changes the one that there is, which notifies nobody. */
async function publish(request: StatuspageRequest, content: string): Promise<void> {
  const { path, input, run, warnings } = request;
  const { page, id } = path;
  const postmortem = findPostmortem(await read(request));
  const shouldPublish = new IncidentFields(input, warnings).flag('notify_subscribers') ?? false;
  if (!postmortem) await run(CreatePostmortem, { id, input: { kind: 'POSTMORTEM', content, shouldPublish } });
  else if (postmortem.content !== content)
    await run(ChangeUpdate, { page, incident: id, id: postmortem.id, input: { content } });
}

async function remove(request: StatuspageRequest, id: number): Promise<void> {
  const { page, id: incident } = request.path;
  await request.run(DeletePostmortem, { page, incident, id });
}

const item = '/pages/:page/incidents/:id/postmortem';
const notice = ['notify_subscribers'];
const written = { method: 'PATCH', priority: 'noticeWrite', record: 'postmortem' } as const;

export const postmortemRoutes: readonly StatuspageRoute[] = [
  { method: 'GET', path: item, priority: 'read', handle: async request => render(await read(request)) },
  {
    ...written,
    path: item,
    fields: ['body_draft', 'body', ...notice],
    async handle(request) {
      const fields = new IncidentFields(request.input, request.warnings);
      const [body, draft] = [fields.content(), fields.text('body_draft')];
      if (!body && draft === undefined) throw invalid({ body_draft: [problems.blank] });
      // A notification cannot be taken back, so that what can be refused is stored first.
      if (draft !== undefined) await storeDraft(request, draft || null);
      if (body) await publish(request, body);
      return render(await read(request));
    },
  },
  {
    ...written,
    path: `${item}/publish`,
    fields: notice,
    outer: notice,
    async handle(request) {
      const draft = readDraft(await read(request));
      if (draft === null) throw invalid({ body_draft: [problems.blank] });
      await publish(request, draft);
      await storeDraft(request, null);
      return render(await read(request));
    },
  },
  {
    ...written,
    record: undefined,
    path: `${item}/revert`,
    async handle(request) {
      const postmortem = findPostmortem(await read(request));
      if (postmortem) {
        await storeDraft(request, postmortem.content);
        await remove(request, postmortem.id);
      }
      return render(await read(request));
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle(request) {
      const postmortem = findPostmortem(await read(request));
      if (postmortem) await remove(request, postmortem.id);
      await storeDraft(request, null);
      return undefined;
    },
  },
];
