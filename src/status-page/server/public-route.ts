import type { DrawnTheme } from '../themes/render.js';
import type { PageView } from '../view/view.js';

/** The bytes of one address of a page, before they are packed. */
export interface Drawing {
  /** The content type, with its charset. */
  type: string;
  body: string | Buffer;
  /** 200 where absent. */
  status?: number;
  /** Beside the ones that every answer has. A redirect is a status and a `Location`. */
  headers?: Record<string, string>;
}

/** What was asked for: the parts of the path that the face names with `:`, and those parameters of the query that it names, decoded. */
export interface Asked {
  path: Record<string, string>;
  query: Record<string, string>;
}

/** One address of a page. A face is a line in the table of `faces.ts`, and drawing one is pure: the view in, bytes out. */
export interface Face {
  /** Below the place of the page: `feed.atom`, `notices/:notice`; '' is the page itself. */
  path: string;
  /** Parameters of the query that change the drawing. All others are left unread, so that nobody can fill the memory with drawings of one thing. */
  query?: readonly string[];
  /** Whether a theme has a say in it. */
  isThemed?: true;
  /** Which notices it shows beside the recent ones of every snapshot: those of a month (`2026-10`, by the page's zone), or one by the token of its address. */
  needs?(asked: Asked): { month: string } | { token: string } | null;
  /** Every address of a face that has names in its path: what an export writes, in full `notices/abc-slow-payments`. */
  addresses?(view: PageView, dress: DrawnTheme | null): string[];
  /** Null: there is no such thing, 404. `dress` is what the theme of the page drew; none where it wears the standard one. */
  draw(view: PageView, asked: Asked, dress?: DrawnTheme | null): Drawing | null | Promise<Drawing | null>;
}
