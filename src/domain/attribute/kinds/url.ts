import {type Checked, refuse, shown} from './checked.ts';
import {checkText} from './text.ts';

/** An absolute URL, or a path that begins with `/`; kept as it was written. */
export function checkUrl(value: unknown): Checked {
  const checked = checkText(value);
  if (!checked.ok) return checked;
  const text = checked.value as string;
  if (text === text.trim() && parses(text)) return checked;
  return refuse(
    `must be a URL such as https://example.com/page or a path such as /page, ${shown(text)} is neither`,
  );
}

function parses(text: string): boolean {
  if (text.startsWith('/')) return URL.canParse(text, 'https://host.invalid');
  return text.includes('://') && URL.canParse(text);
}
