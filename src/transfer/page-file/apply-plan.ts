import { CommandError } from '../../core/errors.js';
import { RefusedOperation, type SendOperation, type UserError } from './graphql-client.js';
import { PageFileError } from './page-file.js';
import { recordLists } from './record-lists.js';
import type { Step } from './step.js';

const problems = 'userErrors { path message }';

interface Mutation {
  name: string;
  input?: string;
  isVersioned?: true;
  hasId?: true;
  payload?: string;
}

/** Those of a type of record that has an id and a version. */
const describeMutations = (kind: string, type: string, payload?: string): Record<string, Mutation> => ({
  [`create ${kind}`]: { name: `create${type}`, input: `Create${type}Input`, ...(payload && { payload }) },
  [`change ${kind}`]: { name: `update${type}`, input: `Update${type}Input`, isVersioned: true, hasId: true },
  [`delete ${kind}`]: { name: `delete${type}`, isVersioned: true, hasId: true },
});

/** The mutations by kind of record and action: the arguments beside `pageId`, and what is read of the payload. */
const mutations: Record<string, Mutation> = {
  'create page': { name: 'createPage', input: 'CreatePageInput', payload: 'page { id }' },
  'change page': { name: 'updatePage', input: 'UpdatePageInput', isVersioned: true, hasId: true },
  'change brand': { name: 'updateBrand', input: 'UpdateBrandInput', isVersioned: true },
  ...describeMutations('component', 'Component', 'component { id }'),
  ...Object.assign({}, ...Object.values(recordLists).map(({ kind, type }) => describeMutations(kind, type))),
  'create channel': { name: 'configureChannel', input: 'ConfigureChannelInput' },
  'change channel': { name: 'configureChannel', input: 'ConfigureChannelInput' },
  'delete channel': { name: 'removeChannel', input: 'RemoveChannelInput' },
};

interface Payload {
  page?: { id: string };
  component?: { id: string };
  userErrors: UserError[];
}

/** Makes the writes of a plan, one after the other, and returns the id of the page. */
export async function applyPlan(send: SendOperation, steps: readonly Step[], pageId: string | null): Promise<string> {
  const ids = new Map<string, string>();
  let page = pageId;
  for (const [index, step] of steps.entries()) {
    try {
      const payload = await applyStep(send, step, page, ids);
      page ??= payload.page!.id;
      if (step.id !== null && payload.component) ids.set(step.id, payload.component.id);
    } catch (error) {
      throw explainFailure(error, step, index, steps.length);
    }
  }
  return page!;
}

async function applyStep(
  send: SendOperation,
  step: Step,
  pageId: string | null,
  ids: ReadonlyMap<string, string>,
): Promise<Payload> {
  const resolve = (id: unknown) => ids.get(id as string) ?? id;
  const { parentId, componentIds } = step.input;
  const input = {
    ...step.input,
    ...(parentId !== undefined && { parentId: resolve(parentId) }),
    ...(Array.isArray(componentIds) && { componentIds: componentIds.map(resolve) }),
  };
  const payload = await send<Payload>(renderMutation(step), {
    pageId,
    id: step.id,
    ifVersion: step.version ?? null,
    input,
  });
  if (!payload.userErrors.length) return payload;
  const { source } = step;
  throw new PageFileError(
    payload.userErrors.map(({ path, message }) => ({
      line: source?.lines[path[1] === 'componentIds' ? 'components' : path[1]!] ?? source?.line ?? 1,
      text: `${step.kind} ${step.name}: ${message}`,
    })),
  );
}

function renderMutation({ action, kind }: Step): string {
  const { name, input, isVersioned, hasId, payload = '' } = mutations[`${action} ${kind}`]!;
  const variables = [
    ...(kind === 'page' ? [] : [['pageId', 'ID!']]),
    ...(hasId ? [['id', 'ID!']] : []),
    ...(isVersioned ? [['ifVersion', 'Int']] : []),
    ...(input ? [['input', `${input}!`]] : []),
  ];
  const declared = variables.map(([variable, type]) => `$${variable}: ${type}`).join(', ');
  const passed = variables.map(([variable]) => `${variable}: $${variable}`).join(', ');
  return `mutation ApplyPageFile(${declared}) { result: ${name}(${passed}) { ${payload} ${problems} } }`;
}

/** A failure in the middle says what is left: the next run makes what this one did not. */
function explainFailure(error: unknown, step: Step, index: number, count: number): unknown {
  const progress = index ? `${index} of ${count} changes are made; apply the file again to make the others.\n` : '';
  if (error instanceof PageFileError) {
    const [first, ...others] = error.problems;
    const text = `${first!.text}${progress && ` ${progress.trimEnd()}`}`;
    return new PageFileError([{ line: first!.line, text }, ...others]);
  }
  if (error instanceof RefusedOperation && error.code === 'PRECONDITION_FAILED')
    return new CommandError(`Somebody has changed the ${step.kind} ${step.name} since it was read. ${progress}`);
  if (error instanceof CommandError) return new CommandError(`${step.kind} ${step.name}: ${error.message}${progress}`);
  return error;
}
