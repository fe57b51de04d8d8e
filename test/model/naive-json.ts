// JSON with Maps for objects, refusing what JSON.parse lets pass: a member name that occurs twice.

export type StrictJson = null | boolean | number | string | StrictJson[] | Map<string, StrictJson>;

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** Throws SyntaxError for what is not exactly one JSON value, or has a member twice. */
export function parseStrictJson(text: string): StrictJson {
  JSON.parse(text);
  token.lastIndex = 0;
  return readValue(text, next(text));
}

function next(text: string): string {
  const match = token.exec(text);
  if (match === null) throw new SyntaxError('Unexpected text.');
  return match[1] ?? match[2] ?? (match[3] as string);
}

function readValue(text: string, first: string): StrictJson {
  if (first === '{') return readObject(text);
  if (first !== '[') return JSON.parse(first) as StrictJson;
  const items: StrictJson[] = [];
  for (let word = next(text); word !== ']'; word = next(text)) if (word !== ',') items.push(readValue(text, word));
  return items;
}

function readObject(text: string): Map<string, StrictJson> {
  const members = new Map<string, StrictJson>();
  for (let word = next(text); word !== '}'; word = next(text)) {
    if (word === ',') continue;
    const name = JSON.parse(word) as string;
    if (members.has(name)) throw new SyntaxError(`Duplicate field '${name}'.`);
    next(text);
    members.set(name, readValue(text, next(text)));
  }
  return members;
}
