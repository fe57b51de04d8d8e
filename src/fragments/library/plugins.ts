// Types that plugins have and fragments do not, apart from the engine: of .NET outside of the narrow set of fragments, and the log.

import type { Declarations } from './declarations.ts';

export const PLUGIN_TYPES: Declarations = `
namespace System.Threading;

struct CancellationToken {
  static CancellationToken None { get; }
  bool IsCancellationRequested { get; }
  bool CanBeCanceled { get; }
  void ThrowIfCancellationRequested();
}

namespace System.Text.RegularExpressions;

enum RegexOptions {
  None = 0, IgnoreCase = 1, Multiline = 2, ExplicitCapture = 4, Compiled = 8, Singleline = 16, IgnorePatternWhitespace = 32,
  RightToLeft = 64, ECMAScript = 256, CultureInvariant = 512, NonBacktracking = 1024,
}
delegate string MatchEvaluator(Match match);
class Capture {
  int Index { get; }
  int Length { get; }
  string Value { get; }
  string ToString();
}
class Group : Capture {
  bool Success { get; }
  string Name { get; }
}
class Match : Group {
  GroupCollection Groups { get; }
  Match NextMatch();
  string Result(string replacement);
}
class GroupCollection : IReadOnlyCollection<Group> {
  int Count { get; }
  Group this[int groupnum] { get; }
  Group this[string groupname] { get; }
}
class MatchCollection : IReadOnlyList<Match> {
  int Count { get; }
  Match this[int i] { get; }
}
class Regex {
  new(string pattern);
  new(string pattern, RegexOptions options);
  new(string pattern, RegexOptions options, TimeSpan matchTimeout);
  RegexOptions Options { get; }
  string[] GetGroupNames();
  string GroupNameFromNumber(int i);
  int GroupNumberFromName(string name);
  int Count(string input);
  bool IsMatch(string input);
  bool IsMatch(string input, int startat);
  Match Match(string input);
  Match Match(string input, int startat);
  MatchCollection Matches(string input);
  MatchCollection Matches(string input, int startat);
  string Replace(string input, string replacement);
  string Replace(string input, string replacement, int count);
  string Replace(string input, MatchEvaluator evaluator);
  string Replace(string input, MatchEvaluator evaluator, int count);
  string[] Split(string input);
  string[] Split(string input, int count);
  string ToString();
  static string Escape(string str);
  static bool IsMatch(string input, string pattern);
  static bool IsMatch(string input, string pattern, RegexOptions options);
  static Match Match(string input, string pattern);
  static Match Match(string input, string pattern, RegexOptions options);
  static MatchCollection Matches(string input, string pattern);
  static MatchCollection Matches(string input, string pattern, RegexOptions options);
  static string Replace(string input, string pattern, string replacement);
  static string Replace(string input, string pattern, string replacement, RegexOptions options);
  static string Replace(string input, string pattern, MatchEvaluator evaluator);
  static string Replace(string input, string pattern, MatchEvaluator evaluator, RegexOptions options);
  static string[] Split(string input, string pattern);
  static string[] Split(string input, string pattern, RegexOptions options);
}

namespace System.Diagnostics;

class Stopwatch {
  static Stopwatch StartNew();
  new();
  TimeSpan Elapsed { get; }
  long ElapsedMilliseconds { get; }
  long ElapsedTicks { get; }
  bool IsRunning { get; }
  void Start();
  void Stop();
  void Reset();
  void Restart();
}

namespace System.Collections.Generic;

class Stack<T> : IReadOnlyCollection<T> {
  new();
  new(int capacity);
  new(IEnumerable<T> collection);
  int Count { get; }
  void Clear();
  bool Contains(T item);
  T Peek();
  T Pop();
  void Push(T item);
  T[] ToArray();
  bool TryPeek(out T result);
  bool TryPop(out T result);
}

class PriorityQueue<TElement, TPriority> {
  new();
  new(int initialCapacity);
  new(IComparer<TPriority> comparer);
  new(int initialCapacity, IComparer<TPriority> comparer);
  int Count { get; }
  void Clear();
  TElement Dequeue();
  void Enqueue(TElement element, TPriority priority);
  TElement EnqueueDequeue(TElement element, TPriority priority);
  void EnqueueRange(IEnumerable<(TElement Element, TPriority Priority)> items);
  void EnqueueRange(IEnumerable<TElement> elements, TPriority priority);
  int EnsureCapacity(int capacity);
  void TrimExcess();
  IReadOnlyCollection<(TElement Element, TPriority Priority)> UnorderedItems { get; }
  TElement Peek();
  bool TryDequeue(out TElement element, out TPriority priority);
  bool TryPeek(out TElement element, out TPriority priority);
}

namespace Microsoft.Extensions.Logging;

enum LogLevel { Trace = 0, Debug = 1, Information = 2, Warning = 3, Error = 4, Critical = 5, None = 6 }
interface ILogger { bool IsEnabled(LogLevel logLevel); }
interface ILogger<out TCategoryName> : ILogger { }
interface ILoggerFactory { ILogger CreateLogger(string categoryName); }
static class LoggerFactoryExtensions { static ILogger<T> CreateLogger<T>(this ILoggerFactory factory); }
static class LoggerExtensions {
  static void Log(this ILogger logger, LogLevel logLevel, string message, params object[] args);
${['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical']
  .flatMap((level) => [
    `  static void Log${level}(this ILogger logger, string message, params object[] args);`,
    `  static void Log${level}(this ILogger logger, Exception exception, string message, params object[] args);`,
  ])
  .join('\n')}
}
`;

/** What fragments are refused, and what plugins have in its place; an empty text: the types above. */
export const wider: readonly (readonly [refused: string, declared: string])[] = [
  ...[
    ...['Stack<T>', 'PriorityQueue<TElement, TPriority>', 'Stopwatch'],
    ...['Regex', 'Match', 'MatchCollection', 'Group', 'Capture', 'RegexOptions'],
  ].map((name) => [`[CS1069] class ${name} { }\n`, ''] as const),
  ['[CS0012] object GetAllProperties();', 'IReadOnlyDictionary<string, object> GetAllProperties();'],
  ['[CS0012] object GetAllNeighbors();', 'List<VertexModel> GetAllNeighbors();'],
  ['[CS0012] object GetOutgoingEdgeIds();', 'List<string> GetOutgoingEdgeIds();'],
  ['[CS0012] object GetIncomingEdgeIds();', 'List<string> GetIncomingEdgeIds();'],
];
