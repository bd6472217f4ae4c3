import sanitizeHtml from 'sanitize-html';

/** Elements that draw. No script, no links, no animation, nothing that loads or embeds another document. */
const elements = (
  'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath style ' +
  'linearGradient radialGradient stop clipPath mask pattern filter feBlend feColorMatrix feComposite feDropShadow ' +
  'feFlood feGaussianBlur feMerge feMergeNode feOffset'
).split(' ');

const attributes = (
  'xmlns xmlns:xlink version viewBox preserveAspectRatio width height id class style transform role aria-label ' +
  'aria-hidden href xlink:href d points pathLength x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy offset rotate ' +
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit ' +
  'stroke-dasharray stroke-dashoffset opacity color display visibility overflow paint-order vector-effect ' +
  'shape-rendering stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits ' +
  'patternContentUnits patternTransform clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type ' +
  'filter filterUnits primitiveUnits in in2 result type mode operator values stdDeviation k1 k2 k3 k4 flood-color ' +
  'flood-opacity color-interpolation-filters font-family font-size font-weight font-style font-variant text-anchor ' +
  'letter-spacing word-spacing dominant-baseline alignment-baseline textLength lengthAdjust startOffset'
).split(' ');

/** A reference to another document, in any of the forms that CSS has. A backslash could hide one. */
const reference = /\\|@import|(?:image|image-set|src|cross-fade|element|expression)\s*\(|url\(\s*(?!['"]?#)/i;

const isLocal = (name: string, value: string) =>
  !reference.test(value) && (!/(?:^|:)href$/.test(name) || value.trim().startsWith('#'));

const maxElements = 10_000;
const maxNesting = 100;

/** Thrown while a document is read: the parser needs quadratic time for nested elements. */
export class SvgTooComplex extends Error {}

/** Removes from an SVG document all that is not on the lists above. Null: the document is not an SVG. */
export function sanitizeSvg(text: string): string | null {
  // Without the prolog, whose declarations may contain markup.
  const begin = text.search(/<svg[\s>]/);
  if (begin < 0) return null;
  const clean = sanitizeOnce(text.slice(begin)).trim();
  // What is written must read as the same document.
  return /^<svg[\s>]/.test(clean) && sanitizeOnce(clean).trim() === clean ? clean : null;
}

function sanitizeOnce(text: string): string {
  let elementCount = 0;
  let nesting = 0;
  return sanitizeHtml(text, {
    onOpenTag: () => {
      if (++elementCount > maxElements) throw new SvgTooComplex(`has more than ${maxElements} elements`);
      if (++nesting > maxNesting) throw new SvgTooComplex(`has elements in more than ${maxNesting} others`);
    },
    onCloseTag: () => {
      nesting -= 1;
    },
    allowedTags: elements,
    allowedAttributes: { '*': attributes },
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    // Text of other elements, such as of <script>, goes with them.
    nonTextTags: ['script', 'foreignObject', 'metadata', 'textarea', 'option', 'noscript'],
    selfClosing: [],
    transformTags: {
      '*': (tagName, given) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(given).filter(([name, value]) => isLocal(name, value))),
      }),
    },
    // The text of a style sheet is not escaped.
    exclusiveFilter: ({ tag, text: content }) => tag === 'style' && (reference.test(content) || /[<&]/.test(content)),
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  });
}
