import { type ComponentReference, PageFileError } from './page-file.js';
import { type ComponentPlan, describePath } from './plan-components.js';

/** The ids of components by their names, paths or ids. */
export function resolveReferences(
  references: readonly ComponentReference[],
  components: ComponentPlan['components'],
): string[] {
  return [...new Set(references.map(reference => resolveReference(reference, components)))];
}

function resolveReference({ text, line }: ComponentReference, components: ComponentPlan['components']): string {
  if (components.has(text)) return text;
  const named = [...components.values()].filter(
    ({ id, name }) => name === text || describePath(components, id) === text,
  );
  if (named.length === 1) return named[0]!.id;
  const [first] = named;
  if (!first) throw new PageFileError([{ line, text: `There is no component ${text}.` }]);
  const example = describePath(components, first.id);
  const reason = `${named.length} components are named ${text}. Write the path, such as ${example}, or the id.`;
  throw new PageFileError([{ line, text: reason }]);
}
