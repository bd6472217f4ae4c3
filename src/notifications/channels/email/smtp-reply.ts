import { StringDecoder } from 'node:string_decoder';

export interface Reply {
  code: number;
  /** Without codes; EHLO answers an extension a line. */
  lines: string[];
}

export const isGood = ({ code }: Reply) => code >= 200 && code < 300;
export const isForGood = ({ code }: Reply) => code >= 500;
export const written = ({ code, lines }: Reply) => `${code} ${lines.join(' ')}`;

/** What a server may say at once without our growing for it. */
const longestReply = 64_000;

/** Bytes become replies, of one line or several. */
export class ReplyReader {
  #decoder = new StringDecoder('utf8');
  #rest = '';
  #lines: string[] = [];
  #length = 0;

  /** Throws where what comes is no SMTP. */
  read(bytes: Buffer): Reply[] {
    const replies: Reply[] = [];
    const parts = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = parts.pop()!;
    for (const part of parts) {
      const line = part.replace(/\r$/, '');
      const [, code, mark, text = ''] = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line) ?? [];
      if (!code) throw new Error(`no SMTP reply: ${line.slice(0, 200)}`);
      this.#lines.push(text);
      this.#length += line.length;
      if (mark === '-') continue;
      replies.push({ code: Number(code), lines: this.#lines });
      this.#lines = [];
      this.#length = 0;
    }
    if (this.#rest.length + this.#length > longestReply) throw new Error('a reply without an end');
    return replies;
  }

  /** Whether something came of which no reply was made yet. */
  get hasRest(): boolean {
    return this.#rest !== '' || this.#lines.length > 0;
  }
}
