import { AddComponentDocument, CreatePageDocument, SetColoursDocument } from '../api/documents.ts';
import { createKey } from '../api/idempotency-key.ts';
import { request } from '../api/transport.ts';
import { type FieldErrors, toFieldErrors, type UserError } from '../ui/field-errors.ts';

/** What somebody has filled in, and how much of it is written: it is continued where the connection was lost. */
export interface PagePlan {
  name: string;
  timezone: string;
  components: string[];
  colour: string;
  pageId?: string;
  /** How many of the components exist. */
  added?: number;
  /** Of the step that is being written, so that it is written once. */
  key?: string;
}

/** With the contrast of 3 that WCAG 2 asks for, which the defaults of the APIs have not. */
const readableStateColours = { colorStateOk: '#24a35a', colorStateWarning: '#d97520' };

/** In the time zone of the browser. The service knows not all of them, and proposes others then. */
export const emptyPlan: PagePlan = {
  name: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  components: ['Website', 'API', 'Sign-in'],
  colour: '#2573a7',
};

/** What was refused; null when all of it is written. `onProgress` stores the plan before and after each step. */
export async function writePlan(
  plan: PagePlan,
  onProgress: (plan: PagePlan) => void,
): Promise<{ errors: FieldErrors } | { pageId: string }> {
  let current = plan;
  const store = (change: Partial<PagePlan>) => {
    current = { ...current, ...change };
    onProgress(current);
  };
  const begin = () => {
    if (!current.key) store({ key: createKey() });
    return { idempotencyKey: current.key! };
  };
  const refuse = (errors: UserError[], field?: string) => {
    // The next attempt is another request.
    store({ key: undefined });
    const problems = toFieldErrors(errors);
    return { errors: field ? { [field]: Object.values(problems).join(' ') } : problems };
  };
  if (!current.pageId) {
    const { name, timezone } = current;
    // An open notice is read for its news. The default of the APIs is the opposite.
    const input = { name, timezone, timelineSortOrder: 'DESC' as const };
    const { result } = await request(CreatePageDocument, { input }, begin());
    if (!result?.page) return refuse(result?.userErrors ?? []);
    store({ pageId: result.page.id, key: undefined });
  }
  const pageId = current.pageId!;
  const { colour } = current;
  const input = {
    colorNavbarButtonBackground: colour,
    colorBodyLinks: colour,
    colorHeaderLinks: colour,
    ...readableStateColours,
  };
  const coloured = await request(SetColoursDocument, { pageId, input });
  if (coloured.result?.userErrors.length) return refuse(coloured.result.userErrors, 'colour');
  for (const [index, name] of current.components.entries()) {
    if (index < (current.added ?? 0)) continue;
    if (name.trim()) {
      const { result } = await request(AddComponentDocument, { pageId, input: { name } }, begin());
      if (result?.userErrors.length) return refuse(result.userErrors, `component ${index}`);
    }
    store({ added: index + 1, key: undefined });
  }
  return { pageId };
}
