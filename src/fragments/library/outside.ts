// Types that C# programs know and fragments cannot reach: they live outside the core library, or would touch the machine. They are
// declared only so that their use is answered with the diagnostic that says so.

import type { Declarations } from './declarations.ts';

const OUTSIDE_TYPES: Readonly<Record<string, readonly string[]>> = {
  'System.Text.RegularExpressions': ['Regex', 'Match', 'MatchCollection', 'Group', 'Capture', 'RegexOptions'],
  'System.IO': [
    'File',
    'FileInfo',
    'Directory',
    'DirectoryInfo',
    'Stream',
    'FileStream',
    'StreamReader',
    'StreamWriter',
  ],
  'System.Net': ['WebClient', 'WebRequest', 'Dns', 'IPAddress'],
  'System.Net.Http': ['HttpClient'],
  'System.Net.Sockets': ['Socket', 'TcpClient', 'UdpClient'],
  'System.Diagnostics': ['Process', 'Stopwatch', 'Debug', 'Trace'],
  'System.Threading': ['Thread', 'ThreadPool', 'Monitor', 'Interlocked', 'Timer'],
  'System.Threading.Tasks': ['Task', 'Parallel'],
  'System.Reflection': ['Assembly', 'MethodInfo', 'PropertyInfo', 'FieldInfo', 'BindingFlags'],
  'System.Runtime.InteropServices': ['Marshal', 'MemoryMarshal'],
  'System.Collections.Concurrent': ['ConcurrentDictionary', 'ConcurrentBag', 'ConcurrentQueue'],
  'System.Collections.Immutable': ['ImmutableArray', 'ImmutableList', 'ImmutableDictionary', 'ImmutableHashSet'],
};

export const OUTSIDE: Declarations = Object.entries(OUTSIDE_TYPES)
  .map(([space, types]) => `namespace ${space};\n${types.map((name) => `[CS1069] class ${name} { }`).join('\n')}\n`)
  .join('\n');
