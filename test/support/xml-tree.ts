import { SaxesParser } from 'saxes';

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text of the element and its descendants. */
  text: string;
}

/** Parses an XML 1.0 document; throws if it is not well-formed or uses an undeclared namespace. */
export function parseXml(source: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
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
  return root.children[0]!;
}

/** The child elements of that name, in document order. */
export function childrenNamed({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter(child => child.name === name);
}

/** The text of the first child element of that name. */
export function childText(element: XmlElement, name: string): string | undefined {
  return childrenNamed(element, name)[0]?.text;
}
