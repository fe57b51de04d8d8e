// Transactions of plugins: EnqueueTransaction with a body, and the context that the body is handed.

import type { EngineObject } from '../engine.ts';
import { argumentNull, badArgument } from '../exceptions.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { type Cell, type Delegate, ItemSequence, over, type Value } from '../values.ts';
import { runTransaction, type WriterContextObject } from '../writer-context.ts';
import type { MemberTable } from './native.ts';

const named = (name: string): RuntimeType => runtimeType({ kind: 'named', name, arguments: [] });
const VERTICES = runtimeType({
  ...{ kind: 'named', name: 'IReadOnlyList' },
  arguments: [{ kind: 'named', name: 'VertexModel', arguments: [] }],
});

class DelegateTransactionObject {
  readonly type = named('DelegateTransaction');
  readonly body: Delegate;
  readonly name: string | null;

  constructor(body: Delegate | null, name: string | null) {
    this.body = body ?? argumentNull('body');
    this.name = name;
  }
}

/** Of the enum TransactionState. */
const finished = 2;
const rolledBack = 3;

class TransactionInformationObject {
  readonly type = named('TransactionInformation');
  readonly state: number;

  constructor(state: number) {
    this.state = state;
  }
}

class VertexDefinitionObject {
  readonly type = named('VertexDefinition');
  creationDate = 0;
  label: string | null = null;
  properties: Value = null;
}

export const WRITER_MEMBERS: MemberTable = {
  'IFallen8Write.EnqueueTransaction(DelegateTransaction)': (
    engine: EngineObject,
    transaction: DelegateTransactionObject | null,
  ) => {
    const { body } = transaction ?? argumentNull('tx');
    return new TransactionInformationObject(runTransaction(engine.reader, body) ? finished : rolledBack);
  },
  'TransactionInformation.get_TransactionState()': (information: TransactionInformationObject) => information.state,
  // It is over before anybody can ask.
  'TransactionInformation.WaitUntilFinished()': () => undefined,
  'DelegateTransaction.new(Action<IFallen8WriterContext>,string)': (body, name) =>
    new DelegateTransactionObject(body, name),
  'DelegateTransaction.get_Name()': (transaction: DelegateTransactionObject) => transaction.name,
  'VertexDefinition.new()': () => new VertexDefinitionObject(),
  'VertexDefinition.get_CreationDate()': (definition: VertexDefinitionObject) => definition.creationDate,
  'VertexDefinition.set_CreationDate(uint)': (definition: VertexDefinitionObject, value) => {
    definition.creationDate = value;
  },
  'VertexDefinition.get_Label()': (definition: VertexDefinitionObject) => definition.label,
  'VertexDefinition.set_Label(string)': (definition: VertexDefinitionObject, value) => {
    definition.label = value;
  },
  'VertexDefinition.get_Properties()': (definition: VertexDefinitionObject) => definition.properties,
  'VertexDefinition.set_Properties(Dictionary<string,object>)': (definition: VertexDefinitionObject, value) => {
    definition.properties = value;
  },
  'IFallen8WriterContext.CreateVertex(uint,string,IDictionary<string,object>)': (
    context: WriterContextObject,
    date,
    label,
    properties,
  ) => context.createVertex(date, label, properties),
  'IFallen8WriterContext.CreateVertices(IEnumerable<VertexDefinition>)': (
    context: WriterContextObject,
    definitions,
  ) => {
    const created = Array.from(over(definitions, 'definitions'), (definition: VertexDefinitionObject | null) => {
      if (definition === null) return badArgument('A vertex definition is null.');
      return context.createVertex(definition.creationDate, definition.label, definition.properties);
    });
    return new ItemSequence(VERTICES, created);
  },
  'IFallen8WriterContext.TryCreateEdge(out EdgeModel,int,string,int,uint,string,IDictionary<string,object>)': (
    context: WriterContextObject,
    cell: Cell,
    source,
    edgeType,
    target,
    ...rest
  ) => {
    if (!edgeType) return badArgument('An edge needs a type.');
    cell.value = context.createEdge({ source, target, edgeType }, rest);
    return cell.value !== null;
  },
  'IFallen8WriterContext.SetProperty(int,string,object)': (context: WriterContextObject, element, key, value) =>
    context.setProperty(element, key ?? argumentNull('propertyId'), value),
  'IFallen8WriterContext.RemoveProperty(int,string)': (context: WriterContextObject, element, key) =>
    context.removeProperty(element, key ?? argumentNull('propertyId')),
  'IFallen8WriterContext.TryRemoveGraphElement(int)': (context: WriterContextObject, element) =>
    context.remove(element),
};
