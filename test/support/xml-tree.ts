import { SaxesParser } from 'saxes';

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Of itself and all that is in it. */
  text: string;
}

/** The tree of a document of XML 1.0; an error when it is not well-formed, namespaces included. */
export function parseXml(source: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]));
    const element: XmlElement = { name, attributes: values, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', text => {
    for (const element of open) element.text += text;
  });
  parser.write(source).close();
  return top.children[0]!;
}

/** Those children, in order. */
export function named({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter(child => child.name === name);
}

export function textOf(element: XmlElement, name: string): string | undefined {
  return named(element, name)[0]?.text;
}
