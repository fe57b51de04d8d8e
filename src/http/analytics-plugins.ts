// What a run of a registered plugin answers, and the problems it may end in.

import type { WrittenBack } from '../engine/analytics/types.ts';
import { type PluginRunAnswer, writeBackKeyOf } from '../queries/analytics/plugin-run.ts';
import type { Specification } from '../queries/analytics/request.ts';
import type { ValuesAnswer } from '../queries/plugins/job-answers.ts';
import type { Exchange } from './exchange.ts';
import { Problem } from './problems.ts';

/** The members of a run result, in the contract's order. */
export function pluginResultText(
  name: string,
  values: ValuesAnswer,
  writeBack: (WrittenBack & { readonly propertyKey: string }) | null,
  startMs: number,
): string {
  const isPartition = values.isPartition && values.vertexCount > 0;
  const members: readonly [name: string, json: string][] = [
    ['algorithm', JSON.stringify(name)],
    ['converged', `${values.converged}`],
    ['iterationsRun', `${values.iterations}`],
    ['elapsedMs', `${Math.round((performance.now() - startMs) * 1000) / 1000}`],
    ['budgetExhausted', `${values.budgetExhausted}`],
    ['vertexCount', `${values.vertexCount}`],
    ['statistics', JSON.stringify(values.statistics)],
    ['results', isPartition ? 'null' : values.rows],
    ['partitions', isPartition ? values.rows : 'null'],
    ['writeBack', JSON.stringify(writeBack)],
  ];
  return `{${members.map(([member, json]) => `"${member}":${json}`).join(',')}}`;
}

export function pluginRunProblem(
  exchange: Exchange,
  name: string,
  specification: Specification,
  answer: PluginRunAnswer & { ok: false },
): Problem {
  switch (answer.reason) {
    case 'budget':
    case 'noResult':
      return new Problem('analyticsBudgetExhausted', answer.detail);
    case 'threw':
      exchange.service.platform.logger.warn(`${exchange.path}: the plugin threw ${answer.exception}: ${answer.detail}`);
      return new Problem('internal', `The plugin '${name}' failed.`, exchange.thrown(answer.exception));
    case 'writeBack': {
      const { detail, verticesWritten, chunks } = answer;
      const extensions = { propertyKey: writeBackKeyOf(name, specification), verticesWritten, chunks };
      return new Problem(
        'analyticsWriteBackFailed',
        `${detail} ${verticesWritten} values were written before.`,
        extensions,
      );
    }
  }
}
