import type { Node } from 'yaml';
import type { ComponentReference, FileChannel, FileComponent, FileRecord } from './page-file.js';
import type { FileListed, PageFile, Value } from './page-file.js';
import type { FileField, FileFields, PageFileFields } from './page-file.fields.js';
import { type ListName, listNames, mapLists, recordLists } from './record-lists.js';
import { type Entry, YamlReader } from './yaml-reader.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a page file in YAML or JSON. Throws all mistakes in its form at once, each with its line. */
export function readPageFile(text: string, fields: PageFileFields, environment: Environment): PageFile {
  const reader = new YamlReader(text);
  const file = new PageFileReader(reader, fields, environment).readFile();
  reader.throwProblems();
  return file;
}

class PageFileReader {
  /** The kind and the id of each record that has one. */
  private readonly ids = new Set<string>();

  constructor(
    private readonly yaml: YamlReader,
    private readonly fields: PageFileFields,
    private readonly environment: Environment,
  ) {}

  readFile(): PageFile {
    const { yaml, fields } = this;
    const entries = yaml.readMap(yaml.root, 'The file', ['page', 'brand', 'components', ...listNames, 'channels']);
    const find = (key: string) => entries.find(entry => entry.key === key);
    const page = find('page');
    if (!page) yaml.addProblem(1, 'The file must have a section page, with an id or a name.');
    const settings = this.readRecord(page?.node ?? null, 'page', fields.page, ['id']);
    if (page && settings.id === null && settings.values.name === undefined)
      yaml.addProblem(page.line, 'page must have an id or a name.');
    const brand = find('brand');
    const components = find('components');
    const channels = find('channels');
    return {
      page: settings,
      brand: brand ? this.readRecord(brand.node, 'brand', fields.brand, []) : null,
      components: components ? this.readComponents(components) : null,
      ...mapLists(name => {
        const section = find(name);
        return section ? this.readRecords(section, name) : null;
      }),
      channels: channels ? this.readChannels(channels) : null,
    };
  }

  /** The fields of a record. `others` are read by the caller. */
  private readRecord(
    node: Node | null,
    where: string,
    fields: FileFields,
    others: readonly string[],
    readOther: (entry: Entry) => void = () => {},
  ): FileRecord {
    const line = this.yaml.lineOf(node);
    const values: Record<string, Value> = {};
    const lines: Record<string, number> = {};
    let id: string | null = null;
    const isEmpty = node === null && where !== 'page';
    const entries = isEmpty ? [] : this.yaml.readMap(node, where, [...others, ...Object.keys(fields)]);
    for (const entry of entries) {
      const { key } = entry;
      lines[key] = entry.line;
      const field = fields[key];
      if (key === 'id') id = this.yaml.readScalar(entry, where) ?? null;
      else if (!field) readOther(entry);
      else {
        const value = this.readValue(entry, where, field);
        if (value !== undefined) values[key] = value;
      }
    }
    return { id, values, line, lines };
  }

  private readValue(entry: Entry, where: string, field: FileField): Value | undefined {
    const text = this.yaml.readScalar(entry, where);
    if (text === undefined) return undefined;
    const refuse = (reason: string) => this.yaml.addProblem(entry.line, `${where}: ${entry.key} ${reason}`);
    if (text === null || text.trim() === '') {
      if (!field.isNullable) refuse('must have a value. Leave it out to keep it as it is.');
      return field.isNullable ? null : undefined;
    }
    if (field.type === 'boolean') {
      if (text === 'true' || text === 'false') return text === 'true';
      return void refuse(`must be true or false, not ${text}.`);
    }
    if (field.type === 'integer') {
      if (/^[-+]?\d{1,10}$/.test(text)) return Number(text);
      return void refuse(`must be a whole number, not ${text}.`);
    }
    if (!field.choices || field.choices.includes(text)) return text;
    return void refuse(`must be one of ${field.choices.join(', ')}, not ${text}.`);
  }

  private readComponents({ node }: Entry): FileComponent[] {
    const components = this.yaml.readList(node, 'components').map((item): FileComponent => {
      let children: FileComponent[] = [];
      const record = this.readRecord(item, 'A component', this.fields.component, ['id', 'components'], entry => {
        children = this.readComponents(entry);
      });
      return { ...record, components: children };
    });
    this.checkIdentities(components, 'components');
    return components;
  }

  private readRecords({ node }: Entry, name: ListName): FileListed[] {
    const { kind, hasComponents } = recordLists[name];
    const others = hasComponents ? ['id', 'components'] : ['id'];
    const records = this.yaml.readList(node, name).map((item): FileListed => {
      let components: ComponentReference[] | null = null;
      const record = this.readRecord(item, `A ${kind}`, this.fields.lists[name], others, entry => {
        components = this.readReferences(entry, kind);
      });
      return { ...record, components };
    });
    this.checkIdentities(records, name);
    return records;
  }

  private readReferences({ key, node }: Entry, kind: string): ComponentReference[] {
    return this.yaml.readList(node, `The components of a ${kind}`).flatMap(item => {
      const line = this.yaml.lineOf(item);
      const text = this.yaml.readScalar({ key, node: item, line }, `A ${kind}`);
      return text ? [{ text, line }] : [];
    });
  }

  /** Records are known by their ids, and without one by their names. */
  private checkIdentities(records: readonly FileRecord[], kind: string): void {
    const names = new Set<Value>();
    for (const { id, values, line } of records) {
      const { name } = values;
      if (name === undefined) this.yaml.addProblem(line, `Each of the ${kind} must have a name.`);
      else if (id === null && names.has(name))
        this.yaml.addProblem(line, `Two ${kind} beside each other are named ${name}. Give them their ids.`);
      if (id === null && name !== undefined) names.add(name);
      if (id !== null && this.ids.has(`${kind} ${id}`)) this.yaml.addProblem(line, `The id ${id} is there twice.`);
      if (id !== null) this.ids.add(`${kind} ${id}`);
    }
  }

  private readChannels({ node }: Entry): FileChannel[] {
    const { channels } = this.fields;
    if (node === null) return [];
    return this.yaml.readMap(node, 'channels', Object.keys(channels)).map(entry => {
      const { key: channel, line } = entry;
      const { hasToken } = channels[channel]!;
      const missing: string[] = [];
      const texts: Record<string, string> = {};
      for (const field of this.yaml.readMap(entry.node, channel, hasToken ? ['url', 'token'] : ['url'])) {
        // The address of a webhook is its password; that of a server is not.
        const value = this.readSecret(field, channel, hasToken && field.key === 'url', missing);
        if (value !== null) texts[field.key] = value;
      }
      const { url, token } = texts;
      if (url !== undefined && !URL.canParse(url)) this.yaml.addProblem(line, `${channel}: url must be an address.`);
      const credentials = url === undefined || missing.length ? null : { url, ...(token && { token }) };
      if (!credentials && !missing.length) this.yaml.addProblem(line, `${channel} must have a url.`);
      return { channel, credentials, missing, line };
    });
  }

  /** The value of the variable that a field names as `${NAME}`. */
  private readSecret(entry: Entry, channel: string, mayBePlain: boolean, missing: string[]): string | null {
    const text = this.yaml.readScalar(entry, channel);
    const variable = /^\$\{(\w+)\}$/.exec(text ?? '')?.[1];
    if (variable) {
      const value = this.environment[variable];
      if (!value) missing.push(variable);
      return value || null;
    }
    if (mayBePlain && text) return text;
    this.yaml.addProblem(entry.line, `${channel}: ${entry.key} must name a variable of the environment: \${NAME}.`);
    return null;
  }
}
