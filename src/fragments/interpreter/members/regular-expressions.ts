// Regex, its matches and their groups.

import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { argumentNull, outOfRange } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { type GroupObject, type GroupsObject, type MatchObject, RegexObject } from '../regex-objects.ts';
import { runtimeType } from '../runtime-types.ts';
import { type Delegate, ItemSequence, type Value } from '../values.ts';
import type { MemberTable, Native } from './native.ts';

const STRING: Type = { kind: 'primitive', name: 'string' };
const MATCHES = runtimeType({ kind: 'named', name: 'MatchCollection', arguments: [] });
const everything = -1;

const given = (text: string | null, parameter = 'input'): string => text ?? argumentNull(parameter);

function startOf(text: string, start: number): number {
  return start < 0 || start > text.length ? outOfRange('startat') : start;
}

function replaced(
  regex: RegexObject,
  text: string,
  most: number,
  start: number,
  replacement: (match: MatchObject) => string,
): string {
  if (most < everything) return outOfRange('count');
  let result = '';
  let from = 0;
  let left = most;
  for (const match of regex.matches(text, start)) {
    if (left === 0) break;
    left--;
    const { place } = match;
    if (place === null) break;
    const part = text.slice(from, place.start) + replacement(match);
    allocate(2 * part.length);
    result += part;
    from = place.end;
  }
  return from === 0 && result === '' ? text : result + text.slice(from);
}

const byText = (replacement: string | null) => {
  const text = given(replacement, 'replacement');
  return (match: MatchObject) => match.expanded(text);
};
const byCall = (evaluator: Delegate | null) => {
  const call = evaluator ?? argumentNull('evaluator');
  return (match: MatchObject) => (call(match) as string | null) ?? '';
};

/** The pieces between the matches, and what their groups matched. */
function split(regex: RegexObject, text: string, most = 0): Value {
  if (most < 0) return outOfRange('count');
  const pieces: string[] = [];
  let from = 0;
  for (const match of most === 1 ? [] : regex.matches(text)) {
    const { place, places } = match;
    if (place === null) break;
    pieces.push(text.slice(from, place.start));
    for (const group of (places ?? []).slice(1)) if (group !== null) pieces.push(text.slice(group.start, group.end));
    from = place.end;
    if (most > 0 && pieces.length >= most - 1) break;
  }
  pieces.push(text.slice(from));
  allocate(2 * text.length + 16 * pieces.length);
  return newArray(STRING, pieces);
}

const all = (regex: RegexObject, text: string, start = 0) => {
  const matches = [...regex.matches(text, start)];
  allocate(8 * matches.length);
  return new ItemSequence(MATCHES, matches);
};

/** What .NET escapes. */
const special = /[\\*+?|{[()^$.# \t\n\f\r]/g;
const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' };

function escaped(text: string): string {
  charge(text.length);
  return text.replace(special, (character) => escapes[character] ?? `\\${character}`);
}

const OWN: MemberTable = {
  'Regex.new(string)': (pattern) => new RegexObject(pattern, 0),
  'Regex.new(string,RegexOptions)': (pattern, options) => new RegexObject(pattern, options),
  'Regex.new(string,RegexOptions,TimeSpan)': (pattern, options) => new RegexObject(pattern, options),
  'Regex.get_Options()': ({ options }: RegexObject) => options,
  'Regex.ToString()': ({ pattern }: RegexObject) => pattern,
  'Regex.GetGroupNames()': ({ compiled }: RegexObject) => newArray(STRING, [...compiled.groupNames]),
  'Regex.GroupNumberFromName(string)': ({ compiled }: RegexObject, name) =>
    compiled.groupNames.indexOf(given(name, 'name')),
  'Regex.GroupNameFromNumber(int)': ({ compiled }: RegexObject, number: number) => compiled.groupNames[number] ?? '',
  'Regex.IsMatch(string)': (regex: RegexObject, text) => regex.match(given(text), 0).isFound,
  'Regex.IsMatch(string,int)': (regex: RegexObject, text, start) =>
    regex.match(given(text), startOf(text, start)).isFound,
  'Regex.Match(string)': (regex: RegexObject, text) => regex.match(given(text), 0),
  'Regex.Match(string,int)': (regex: RegexObject, text, start) => regex.match(given(text), startOf(text, start)),
  'Regex.Matches(string)': (regex: RegexObject, text) => all(regex, given(text)),
  'Regex.Matches(string,int)': (regex: RegexObject, text, start) => all(regex, given(text), startOf(text, start)),
  'Regex.Count(string)': (regex: RegexObject, text) => [...regex.matches(given(text))].length,
  'Regex.Replace(string,string)': (regex: RegexObject, text, replacement) =>
    replaced(regex, given(text), everything, 0, byText(replacement)),
  'Regex.Replace(string,string,int)': (regex: RegexObject, text, replacement, most) =>
    replaced(regex, given(text), most, 0, byText(replacement)),
  'Regex.Replace(string,MatchEvaluator)': (regex: RegexObject, text, evaluator) =>
    replaced(regex, given(text), everything, 0, byCall(evaluator)),
  'Regex.Replace(string,MatchEvaluator,int)': (regex: RegexObject, text, evaluator, most) =>
    replaced(regex, given(text), most, 0, byCall(evaluator)),
  'Regex.Split(string)': (regex: RegexObject, text) => split(regex, given(text)),
  'Regex.Split(string,int)': (regex: RegexObject, text, most) => split(regex, given(text), most),
};

/** Static members make the expression first. */
function statics(): Record<string, Native> {
  const table: Record<string, Native> = {
    'Regex.Escape(string)': (text) => escaped(given(text, 'str')),
  };
  const add = (name: string, tail: string, run: (regex: RegexObject, text: string, value: Value) => Value): void => {
    table[`Regex.${name}(string,string${tail})`] = (text, pattern, value) =>
      run(new RegexObject(pattern, 0), given(text), value);
    table[`Regex.${name}(string,string${tail},RegexOptions)`] =
      tail === ''
        ? (text, pattern, options) => run(new RegexObject(pattern, options), given(text), null)
        : (text, pattern, value, options) => run(new RegexObject(pattern, options), given(text), value);
  };
  add('IsMatch', '', (regex, text) => regex.match(text, 0).isFound);
  add('Match', '', (regex, text) => regex.match(text, 0));
  add('Matches', '', (regex, text) => all(regex, text));
  add('Split', '', (regex, text) => split(regex, text));
  add('Replace', ',string', (regex, text, value) => replaced(regex, text, everything, 0, byText(value)));
  add('Replace', ',MatchEvaluator', (regex, text, value) => replaced(regex, text, everything, 0, byCall(value)));
  return table;
}

export const EXPRESSION_MEMBERS: MemberTable = {
  ...OWN,
  ...statics(),
  'Capture.get_Index()': ({ place }: GroupObject) => place?.start ?? 0,
  'Capture.get_Length()': ({ place }: GroupObject) => (place === null ? 0 : place.end - place.start),
  'Capture.get_Value()': ({ value }: GroupObject) => value,
  'Capture.ToString()': ({ value }: GroupObject) => value,
  'Group.get_Success()': ({ isFound }: GroupObject) => isFound,
  'Group.get_Name()': ({ name }: GroupObject) => name,
  'Match.get_Groups()': ({ groups }: MatchObject) => groups,
  'Match.NextMatch()': (match: MatchObject) => match.next(),
  'Match.Result(string)': (match: MatchObject, replacement) => match.expanded(given(replacement, 'replacement')),
  'GroupCollection.get_Count()': ({ count }: GroupsObject) => count,
  'GroupCollection.get_Item(int)': ({ match }: GroupsObject, number: number) => match.group(number),
  'GroupCollection.get_Item(string)': ({ match }: GroupsObject, name) => match.groupNamed(given(name, 'groupname')),
  'MatchCollection.get_Count()': (matches: ItemSequence) => matches.count,
  'MatchCollection.get_Item(int)': (matches: ItemSequence, at: number) =>
    at < 0 || at >= matches.count ? outOfRange('i') : matches.at(at),
};
