// Property scans: the typed comparison on one key, and the text search over all of them.

import { TypeId, typeNamesOf } from '../../core/values.ts';
import type { PropertyScan } from '../../engine/types.ts';
import { json } from '../bodies.ts';
import { noticeCommas } from '../decimal-commas.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { literal, notBlank, operator, operators, optionalText, record, resultType } from '../schemas.ts';
import { elementIds } from '../shapes.ts';
import { typeNamed } from '../type-names.ts';
import { noticeLabel, suggestion } from '../unknown-names.ts';
import type { Warnings } from '../warnings.ts';

const propertyScan = record({
  operator: operator.default(0),
  literal,
  label: optionalText,
  resultType: resultType.default('Vertices'),
}).meta({ id: 'PropertyScanSpecification' });

const textScan = record({
  searchTerm: notBlank,
  label: optionalText,
  resultType: resultType.default('Both'),
}).meta({ id: 'AnyPropertyScanSpecification' });

const found = { 200: shows('Ids of the elements that match, ascending.', elementIds) };

export const scanRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/scan/graph/property/:propertyId',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'Elements whose property compares to a literal as asked.',
    params: { propertyId: textInPath('Key of the property.') },
    body: json(propertyScan),
    answers: found,
    serve: async (exchange, { propertyId: key, body: { operator, literal, label, resultType } }) => {
      const typeName = literal.fullQualifiedTypeName ?? '';
      const type = typeName === '' ? TypeId.string : typeNamed(typeName);
      noticeOperator(exchange, operator);
      noticeCommas(exchange.warnings, type, literal.value, () => 'literal.value');
      const scan = { key, operator, type, text: literal.value, label, resultType };
      const found = await exchange.graph.scans.property(scan, exchange.request.signal);
      if (found === null) throw new Problem('badRequest', `The literal is not a value of the type ${typeName}.`);
      if (isOperator(operator)) noticeTypes(exchange, scan, found.types);
      return exchange.jsonBlocks(found.ids);
    },
  }),
  route({
    method: 'POST',
    path: '/scan/graph/properties',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'Elements of which any property value contains a text, in any case.',
    body: json(textScan),
    answers: found,
    serve: async (exchange, { body: { searchTerm, label, resultType } }) => {
      noticeLabel(exchange, label);
      return exchange.jsonBlocks(
        await exchange.graph.scans.text(searchTerm, label, resultType, exchange.request.signal),
      );
    },
  }),
];

const lastOperator = operators.length - 1;

const isOperator = (operator: number): boolean => operator >= 0 && operator <= lastOperator;

/** Warns of an operator that matches nothing. */
export function noticeOperator({ warnings }: Exchange, operator: number): void {
  if (isOperator(operator)) return;
  warnings.add('unknownOperator', 'operator', `Operators are 0 to ${lastOperator}; ${operator} matches nothing.`);
}

/** Warns where no element in question has the property, or none with the literal's type: nothing equals the literal then. */
function noticeTypes(exchange: Exchange, { key, label, resultType, type }: PropertyScan, types: number): void {
  const { warnings } = exchange;
  if (types !== 0) noticeType(warnings, `The property '${key}' has`, types, type);
  else if (!noticeLabel(exchange, label)) {
    const among = resultType === 'Both' ? 'element' : resultType === 'Edges' ? 'edge' : 'vertex';
    const labelled = label === null ? '' : ` labelled '${label}'`;
    warnings.add(
      'noSuchProperty',
      'propertyId',
      `No ${among}${labelled} has a property '${key}' (resultType ${resultType}).${suggestion(exchange, key)}`,
    );
  }
}

/** Warns of a literal of a type that no value has that it is compared with. */
export function noticeType(warnings: Warnings, subject: string, types: number, type: TypeId): void {
  if (types === 0 || (types >>> type) & 1) return;
  const [asked] = typeNamesOf(1 << type);
  const there = typeNamesOf(types).join(', ') || 'Single[]';
  warnings.add(
    'otherType',
    'fullQualifiedTypeName',
    `${subject} values of ${there}, and none equals a literal of ${asked}.`,
  );
}
