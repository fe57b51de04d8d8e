// Settings: every source, their order, and what is said about wrong values.

import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/config/catalogue.ts';
import { Configuration } from '../../src/config/configuration.ts';
import { InvalidSetting, readSettings } from '../../src/config/settings.ts';
import {
  InvalidSettingsSource,
  type Layer,
  layers,
  type RawSetting,
  readCommandLine,
  settingsFromEnvironment,
  settingsFromJson,
} from '../../src/config/sources.ts';
import { settingsOf } from '../../src/settings-of.ts';

const raw = (key: string, text: string): RawSetting => ({ key, text, source: 'test' });
const read = (key: string, text: string) => readSettings([raw(key, text)]);

test('every setting has a default, a description and an expectation', () => {
  const { settings, warnings } = readSettings([]);
  expect(warnings).toEqual([]);
  expect(Object.keys(settings)).toEqual(Object.keys(catalogue));
  for (const [key, { description, expected, initial }] of Object.entries(catalogue)) {
    expect(description, key).toMatch(/\.$/);
    expect(expected, key).not.toBe('');
    expect(initial, key).not.toBeUndefined();
  }
  expect(settings['Http:Host']).toBe('127.0.0.1');
  expect(settings['Http:Port']).toBe(8080);
  expect(settings['BulkIO:ImportBatchSize']).toBe(10_000);
  expect(settings['Security:SensitiveRateLimitPermitPerWindow']).toBe(30);
});

describe('values', () => {
  test('keys match in any case, a later source wins', () => {
    const { settings } = readSettings([raw('http:PORT', '1'), raw('HTTP:port', '2')]);
    expect(settings['Http:Port']).toBe(2);
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    [' False ', false],
  ])('the flag %j', (text, value) => {
    expect(read('Durability:Volatile', text).settings['Durability:Volatile']).toBe(value);
  });

  test.each([
    ['Http:Port', '65536'],
    ['Http:Port', '-1'],
    ['Http:Port', '80.5'],
    ['Http:Port', 'http'],
    ['Durability:Volatile', 'yes'],
    ['Namespaces:StartupLoadMode', 'Some'],
    ['BulkIO:ImportBatchSize', 'many'],
    ['ChangeFeed:KeepAliveSeconds', '2147484'],
    ['Memory:MaxBytesPerNamespace', '4294967296'],
    ['Observability:TracingSamplingRatio', 'half'],
  ])('%s does not take %s, and the message says all', (key, text) => {
    expect(() => read(key, text)).toThrow(InvalidSetting);
    expect(() => read(key, text)).toThrow(`Service:${key} takes `);
    expect(() => read(key, text)).toThrow(`, not "${text}" (test).`);
  });

  test('sizes that are not positive reset to their default and are told', () => {
    for (const text of ['0', '-5']) {
      const { settings, warnings } = readSettings([
        raw('BulkIO:ImportBatchSize', text),
        raw('BulkIO:MaxLineBytes', text),
      ]);
      expect(settings['BulkIO:ImportBatchSize']).toBe(10_000);
      expect(settings['BulkIO:MaxLineBytes']).toBe(1_048_576);
      expect(warnings.length).toBe(2);
    }
    expect(read('BulkIO:MaxImportRequestBytes', '5').settings['BulkIO:MaxImportRequestBytes']).toBe(5);
    expect(read('BulkIO:MaxImportRequestBytes', '').settings['BulkIO:MaxImportRequestBytes']).toBeNull();
  });

  test('an empty value is no value', () => {
    expect(read('Http:Port', '').settings['Http:Port']).toBe(8080);
    expect(read('Security:ApiKey', '  ').settings['Security:ApiKey']).toBeNull();
  });

  test('ratios are clamped, words found in any case', () => {
    expect(read('Observability:TracingSamplingRatio', '7').settings['Observability:TracingSamplingRatio']).toBe(1);
    expect(read('Observability:TracingSamplingRatio', '-.5').settings['Observability:TracingSamplingRatio']).toBe(0);
    expect(read('Namespaces:StartupLoadMode', 'defaultonly').settings['Namespaces:StartupLoadMode']).toBe(
      'DefaultOnly',
    );
  });

  test('lists by index, by commas and by their short name', () => {
    const key = 'Security:AllowedCorsOrigins';
    const indexed = [raw(`${key}:1`, 'http://b'), raw(`${key}:0`, 'http://a')];
    expect(readSettings(indexed).settings[key]).toEqual(['http://a', 'http://b']);
    expect(read(key, 'http://a, http://b').settings[key]).toEqual(['http://a', 'http://b']);
    expect(read('AllowedCorsOrigins:0', 'http://a').settings[key]).toEqual(['http://a']);
  });

  test('of a list the strongest layer counts alone, whatever form it has', () => {
    const key = 'Security:AllowedCorsOrigins';
    const file = [
      { ...raw(`${key}:0`, 'http://file0'), layer: 'appSettings' },
      { ...raw(`${key}:1`, 'http://file1'), layer: 'appSettings' },
    ] as const;
    const listOf = (...sources: RawSetting[]) => readSettings(sources).settings[key];
    expect(listOf({ ...raw(key, 'http://flag'), layer: 'commandLine' }, ...file)).toEqual(['http://flag']);
    expect(listOf(...file, { ...raw(key, ''), layer: 'environment' })).toEqual([]);
    expect(listOf(...file, { ...raw(`${key}:1`, 'http://flag'), layer: 'commandLine' })).toEqual(['http://flag']);
    expect(listOf({ ...raw(key, 'http://text'), layer: 'appSettings' }, ...file)).toEqual([
      'http://file0',
      'http://file1',
    ]);
    const flag = { ...raw(`${key}:0`, 'http://flag'), layer: 'commandLine' } as const;
    expect(listOf({ ...raw(key, 'http://a,http://b'), layer: 'environment' }, flag)).toEqual(['http://flag']);
  });

  test('the strongest layer wins in whatever order they come, and is named', () => {
    const key = 'ChangeFeed:BufferSize';
    const of = (layer: Layer, text: string): RawSetting => ({ key, text, source: 'test', layer });
    const all = layers.map((layer, i) => of(layer, String(i + 1)));
    for (let count = 1; count <= all.length; count++) {
      const { settings, origins } = readSettings(all.slice(0, count).reverse());
      expect([settings[key], origins.get(key)]).toEqual([count, layers[count - 1]]);
    }
    expect(readSettings([]).origins.get(key)).toBeUndefined();
    // An empty variable names the key as well.
    const { settings, origins } = readSettings([of('appSettings', '5'), of('environment', '')]);
    expect([settings[key], origins.get(key)]).toEqual([8192, 'environment']);
  });

  test('what is configured for a capability that is not there is told', () => {
    const { warnings } = new Configuration([
      raw('Integrations:Enabled', 'true'),
      raw('Integrations:Endpoint', 'http://host'),
      raw('Http:Port', '1'),
    ]);
    expect(warnings).toEqual([
      'Service:Integrations:Enabled, Service:Integrations:Endpoint have no effect: in this version there are no integrations.',
    ]);
    expect(new Configuration([]).warnings).toEqual([]);
  });

  test('texts are bounded', () => {
    expect(read('Embedding:ModelName', 'm'.repeat(4096)).settings['Embedding:ModelName']).toHaveLength(4096);
    expect(() => read('Embedding:ModelName', 'm'.repeat(4097))).toThrow(
      'takes a text of at most 4096 characters, not "mmm',
    );
    expect(read('Security:ApiKey', 'k'.repeat(16_384)).settings['Security:ApiKey']).toHaveLength(16_384);
    for (const [key, length] of [
      ['Security:ApiKey', 16_385],
      ['Observability:Otlp:Endpoint', 4097],
    ] as const) {
      expect(() => read(key, 'k'.repeat(length))).toThrow(/takes .*, not the given value \(test\)\.$/);
    }
  });

  test('unknown keys are told and ignored; secrets never shown', () => {
    const { warnings } = readSettings([raw('Http:Prot', '1'), raw('Http:Port:0', '1')]);
    expect(warnings).toEqual([
      'Unknown setting Service:Http:Prot (test) is ignored. Did you mean Service:Http:Port?',
      'Unknown setting Service:Http:Port:0 (test) is ignored. Did you mean Service:Http:Port?',
    ]);
    expect(readSettings([raw('Entirely:Else', '1')]).warnings).toEqual([
      'Unknown setting Service:Entirely:Else (test) is ignored.',
    ]);
  });

  test('a program is told of no key that is ignored, because none is', () => {
    expect(() => settingsOf({ 'Http:Prot': 1 })).toThrow(
      /^Unknown setting Service:Http:Prot \(the program\)\. Did you mean Service:Http:Port\?$/,
    );
    expect(() => settingsOf({ 'BulkIO:ImportBatchSize': 0 })).toThrow(
      'Service:BulkIO:ImportBatchSize takes a whole number from 1 to 2147483647, not "0" (the program).',
    );
  });

  test('an unknown key below Security is refused: the service would be open', () => {
    expect(() => readSettings([raw('Security:ApiKye', 'x')])).toThrow(
      'Unknown setting Service:Security:ApiKye (test). Did you mean Service:Security:ApiKey?',
    );
    const stored = { ...raw('Security:ApiKye', 'x'), layer: 'override' } as const;
    expect(readSettings([stored]).warnings).toHaveLength(1);
  });
});

describe('sources', () => {
  test('the environment, in any case, by its prefix only', () => {
    const settings = settingsFromEnvironment({
      Service__Http__Port: '1',
      SERVICE__SECURITY__ALLOWEDCORSORIGINS__0: 'x',
      Service: 'no',
      MyService__A: 'no',
      Service__Gone: undefined,
    });
    expect(settings.map(({ key, text }) => [key, text])).toEqual([
      ['Http:Port', '1'],
      ['SECURITY:ALLOWEDCORSORIGINS:0', 'x'],
    ]);
  });

  test('a file, nested or with colons, numbers and lists included', () => {
    const content = {
      Logging: { Level: 'x' },
      Service: {
        Http: { Port: 81, Host: null },
        'BulkIO:MaxLineBytes': 5,
        Security: { AllowedCorsOrigins: ['a', 'b'] },
      },
      'service:Durability:Volatile': true,
    };
    const settings = settingsFromJson(`\ufeff${JSON.stringify(content)}`, 'file');
    expect(settings.map(({ key, text }) => [key, text])).toEqual([
      ['Http:Port', '81'],
      ['BulkIO:MaxLineBytes', '5'],
      ['Security:AllowedCorsOrigins:0', 'a'],
      ['Security:AllowedCorsOrigins:1', 'b'],
      ['Durability:Volatile', 'true'],
    ]);
    expect(settings[0]?.source).toBe('Service:Http:Port in file');
    for (const text of ['{', '[]', '5', ''])
      expect(() => settingsFromJson(text, 'file')).toThrow(InvalidSettingsSource);
    // The parser quotes what stands there, which may be a key.
    expect(() => settingsFromJson('{"ApiKey": hush}', 'file')).toThrow(/^file is not valid JSON: [^"]*$/);
  });

  test('the command line, with equals or a blank', () => {
    const line = readCommandLine([
      '--Service:Http:Port=1',
      '--service:http:host',
      'h',
      '--config',
      'f',
      '--Service:A=b=c',
    ]);
    expect(line.settings.map(({ key, text }) => [key, text])).toEqual([
      ['Http:Port', '1'],
      ['http:host', 'h'],
      ['A', 'b=c'],
    ]);
    expect(line).toMatchObject({ configFile: 'f', help: false });
    expect(readCommandLine(['--help']).help).toBe(true);
    expect(() => readCommandLine(['--Servise:Security:ApiKey=hush'])).toThrow(
      'Unknown argument --Servise:Security:ApiKey;',
    );
    for (const args of [['x'], ['--other'], ['--Service:Http:Port'], ['--config']]) {
      expect(() => readCommandLine(args)).toThrow(InvalidSettingsSource);
    }
  });
});
