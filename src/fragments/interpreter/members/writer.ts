// Transactions of plugins: EnqueueTransaction with a body, and the context that the body is handed.

import type { ElementObject } from '../elements.ts';
import type { EngineObject } from '../engine.ts';
import { argumentNull, badArgument } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { type Cell, type Delegate, ItemSequence, over, type Value } from '../values.ts';
import { runTransaction, type WriterContextObject } from '../writer-context.ts';
import type { MemberTable } from './native.ts';

const named = (name: string): RuntimeType => runtimeType({ kind: 'named', name, arguments: [] });
const listOf = (name: string): RuntimeType =>
  runtimeType({ kind: 'named', name: 'IReadOnlyList', arguments: [{ kind: 'named', name, arguments: [] }] });
const VERTICES = listOf('VertexModel');
const EDGES = listOf('EdgeModel');

interface TransactionObject {
  readonly body: (context: WriterContextObject) => void;
}

class DelegateTransactionObject implements TransactionObject {
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
  readonly type: RuntimeType = named('VertexDefinition');
  creationDate = 0;
  label: string | null = null;
  properties: Value = null;
}

class EdgeDefinitionObject extends VertexDefinitionObject {
  override readonly type = named('EdgeDefinition');
  source = 0;
  edgeType: string | null = null;
  target = 0;
}

const givenVertex = (definition: VertexDefinitionObject | null): VertexDefinitionObject =>
  definition ?? badArgument('A vertex definition is null.');
const givenEdge = (definition: EdgeDefinitionObject | null): EdgeDefinitionObject =>
  definition ?? badArgument('An edge definition is null.');

/** CreateVertexTransaction and CreateVerticesTransaction. */
class CreateVerticesObject implements TransactionObject {
  readonly type;
  definitions: (VertexDefinitionObject | null)[] = [];
  created: ElementObject[] = [];

  constructor(name: string) {
    this.type = named(name);
  }

  add(definition: VertexDefinitionObject | null): this {
    allocate(32);
    this.definitions.push(definition);
    return this;
  }

  readonly body = (context: WriterContextObject): void => {
    this.created = this.definitions.map((one) => {
      const { creationDate, label, properties } = givenVertex(one);
      return context.createVertex(creationDate, label, properties);
    });
  };
}

/** CreateEdgeTransaction and CreateEdgesTransaction: without one of its ends nothing of it is made. */
class CreateEdgesObject implements TransactionObject {
  readonly type;
  definitions: (EdgeDefinitionObject | null)[] = [];
  created: ElementObject[] = [];

  constructor(name: string) {
    this.type = named(name);
  }

  add(definition: EdgeDefinitionObject | null): this {
    allocate(48);
    this.definitions.push(definition);
    return this;
  }

  readonly body = (context: WriterContextObject): void => {
    this.created = this.definitions.map((one) => {
      const { source, edgeType, target, creationDate, label, properties } = givenEdge(one);
      if (!edgeType) return badArgument('An edge needs a type.');
      const edge = context.createEdge({ source, target, edgeType }, [creationDate, label, properties]);
      return edge ?? badArgument('An end of the edge is not there.');
    });
  };
}

const vertexDefinition = (creationDate: number, label: string | null, properties: Value): VertexDefinitionObject =>
  Object.assign(new VertexDefinitionObject(), { creationDate, label, properties });

/** Accessors of what two definitions have in common. */
const definitionMembers = (name: string): MemberTable => ({
  [`${name}.get_CreationDate()`]: (definition: VertexDefinitionObject) => definition.creationDate,
  [`${name}.set_CreationDate(uint)`]: (definition: VertexDefinitionObject, value) => {
    definition.creationDate = value;
  },
  [`${name}.get_Label()`]: (definition: VertexDefinitionObject) => definition.label,
  [`${name}.set_Label(string)`]: (definition: VertexDefinitionObject, value) => {
    definition.label = value;
  },
  [`${name}.get_Properties()`]: (definition: VertexDefinitionObject) => definition.properties,
  [`${name}.set_Properties(Dictionary<string,object>)`]: (definition: VertexDefinitionObject, value) => {
    definition.properties = value;
  },
});

const TRANSACTIONS: MemberTable = {
  'VertexDefinition.new()': () => new VertexDefinitionObject(),
  ...definitionMembers('VertexDefinition'),
  'EdgeDefinition.new()': () => new EdgeDefinitionObject(),
  ...definitionMembers('EdgeDefinition'),
  'EdgeDefinition.get_SourceVertexId()': (definition: EdgeDefinitionObject) => definition.source,
  'EdgeDefinition.set_SourceVertexId(int)': (definition: EdgeDefinitionObject, value) => {
    definition.source = value;
  },
  'EdgeDefinition.get_EdgePropertyId()': (definition: EdgeDefinitionObject) => definition.edgeType,
  'EdgeDefinition.set_EdgePropertyId(string)': (definition: EdgeDefinitionObject, value) => {
    definition.edgeType = value;
  },
  'EdgeDefinition.get_TargetVertexId()': (definition: EdgeDefinitionObject) => definition.target,
  'EdgeDefinition.set_TargetVertexId(int)': (definition: EdgeDefinitionObject, value) => {
    definition.target = value;
  },
  'CreateVertexTransaction.new()': () => new CreateVerticesObject('CreateVertexTransaction'),
  'CreateVertexTransaction.get_Definition()': ({ definitions }: CreateVerticesObject) => definitions[0] ?? null,
  'CreateVertexTransaction.set_Definition(VertexDefinition)': (transaction: CreateVerticesObject, value) => {
    transaction.definitions = [value];
  },
  'CreateVertexTransaction.get_VertexCreated()': ({ created }: CreateVerticesObject) => created[0] ?? null,
  'CreateVerticesTransaction.new()': () => new CreateVerticesObject('CreateVerticesTransaction'),
  'CreateVerticesTransaction.AddVertex(uint,string,Dictionary<string,object>)': (
    transaction: CreateVerticesObject,
    creationDate,
    label,
    properties,
  ) => transaction.add(vertexDefinition(creationDate, label, properties)),
  'CreateVerticesTransaction.AddVertex(VertexDefinition)': (transaction: CreateVerticesObject, definition) =>
    transaction.add(definition),
  'CreateVerticesTransaction.GetCreatedVertices()': ({ created }: CreateVerticesObject) =>
    new ItemSequence(VERTICES, created),
  'CreateEdgeTransaction.new()': () => new CreateEdgesObject('CreateEdgeTransaction'),
  'CreateEdgeTransaction.get_Definition()': ({ definitions }: CreateEdgesObject) => definitions[0] ?? null,
  'CreateEdgeTransaction.set_Definition(EdgeDefinition)': (transaction: CreateEdgesObject, value) => {
    transaction.definitions = [value];
  },
  'CreateEdgesTransaction.new()': () => new CreateEdgesObject('CreateEdgesTransaction'),
  'CreateEdgesTransaction.AddEdge(int,string,int,uint,string,Dictionary<string,object>)': (
    transaction: CreateEdgesObject,
    source,
    edgeType,
    target,
    creationDate,
    label,
    properties,
  ) =>
    transaction.add(
      Object.assign(new EdgeDefinitionObject(), { source, edgeType, target, creationDate, label, properties }),
    ),
  'CreateEdgesTransaction.AddEdge(EdgeDefinition)': (transaction: CreateEdgesObject, definition) =>
    transaction.add(definition),
  'CreateEdgesTransaction.GetCreatedEdges()': ({ created }: CreateEdgesObject) => new ItemSequence(EDGES, created),
};

export const WRITER_MEMBERS: MemberTable = {
  ...TRANSACTIONS,
  'IFallen8Write.EnqueueTransaction(ATransaction)': (engine: EngineObject, transaction: TransactionObject | null) => {
    const { body } = transaction ?? argumentNull('tx');
    return new TransactionInformationObject(runTransaction(engine.reader, body) ? finished : rolledBack);
  },
  'TransactionInformation.get_TransactionState()': (information: TransactionInformationObject) => information.state,
  // It is over before anybody can ask.
  'TransactionInformation.WaitUntilFinished()': () => undefined,
  'DelegateTransaction.new(Action<IFallen8WriterContext>,string)': (body, name) =>
    new DelegateTransactionObject(body, name),
  'DelegateTransaction.get_Name()': (transaction: DelegateTransactionObject) => transaction.name,
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
