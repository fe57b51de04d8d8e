// Members of a source's types as their heads declare them: symbols for the binder, functions whose bodies come later.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { FunctionSyntax, MemberSyntax } from '../unit-syntax.ts';
import type { Binder } from './binder.ts';
import { accessOf } from './class-declarations.ts';
import { declareConstants } from './class-enums.ts';
import type { Access, ClassType, UserField, UserMethod } from './class-model.ts';
import {
  accessorAccess,
  checkMemberModifiers,
  checkTypeModifiers,
  fieldModifiers,
  hasConstructor,
} from './class-modifiers.ts';
import { ownParameters, settingProperty } from './class-records.ts';
import { checkExtension, checkHead, checkOperands, checkOperator, isStaticType } from './class-signatures.ts';
import { checkSeen } from './class-visibility.ts';
import { functionSymbol } from './local-functions.ts';
import { operatorName } from './reader.ts';
import type { MethodSymbol, ParameterSymbol } from './symbols.ts';
import { bindType } from './type-names.ts';
import { typeText, VOID } from './typing.ts';
import { writtenParameter } from './written-parameters.ts';

const nothing: Syntax.Node = { start: 0, end: 0 };

export function declareMembers(b: Binder, one: ClassType): void {
  b.typeNames = one.typeNames;
  b.classes!.current = one;
  const declaring = new Declaring(b, one);
  const { syntax } = one;
  checkTypeModifiers(b, one);
  if (syntax.kind === 'enum') declareConstants(b, one, (name) => declaring.name(name, false));
  for (const parameter of ownParameters(one)) declaring.positional(parameter);
  for (const member of syntax.members) declaring.member(member);
  if (syntax.isRecord && syntax.parameters !== null) declaring.recordConstructor(syntax.parameters);
  for (const member of syntax.implied) declaring.member(member);
  if (syntax.kind === 'class' && one.shape === 'class' && one.constructors.length === 0) declaring.usualConstructor();
  b.classes!.current = null;
}

class Declaring {
  private readonly b: Binder;
  private readonly one: ClassType;

  constructor(b: Binder, one: ClassType) {
    this.b = b;
    this.one = one;
  }

  member(member: MemberSyntax): void {
    checkMemberModifiers(this.b, this.one, member);
    switch (member.kind) {
      case 'field':
        this.fields(member);
        return;
      case 'property':
        this.property(member);
        return;
      case 'method':
        this.method(member);
        return;
      case 'constructor':
        this.constructor_(member);
    }
  }

  /** CS0102: a name that another kind of member has; CS0542: that of the type. */
  name({ text, ...at }: Syntax.Name, isMethod: boolean): void {
    const { b, one } = this;
    const others = one.membersNamed(text);
    if (others.some(({ kind }) => kind !== 'method' || !isMethod) || one.nested.has(text)) {
      b.report('CS0102', at, one.name, text);
    }
    if (text === one.syntax.name.text && one.shape !== 'interface') b.report('CS0542', at, text);
    if (!isMethod && text === 'Item' && one.membersNamed('this').length > 0) b.report('CS0102', at, one.name, text);
    if (isMethod && /^[gs]et_/.test(text) && one.membersNamed(text.slice(4)).some(({ kind }) => kind === 'property'))
      b.report('CS0082', at, text);
  }

  private isStatic(modifiers: ReadonlySet<string>): boolean {
    return modifiers.has('static') || modifiers.has('const');
  }

  /** How members without a modifier are seen. */
  private access(modifiers: ReadonlySet<string>): Access {
    return accessOf(modifiers, this.one.shape === 'interface' ? 'public' : 'private');
  }

  private type(syntax: Syntax.TypeSyntax): Type {
    const { b } = this;
    const type = bindType(b, syntax);
    if (type.kind === 'named' && (type.name === 'Span' || type.name === 'ReadOnlySpan')) b.report('CS8345', syntax);
    return type;
  }

  private fields({ type: syntax, declarators, modifiers }: MemberSyntax & { kind: 'field' }): void {
    const { b, one } = this;
    const type = this.type(syntax);
    if (type === VOID) b.report('CS0670', syntax);
    if (one.shape === 'interface') b.report('CS0525', syntax);
    if (one.shape === 'static class' && !this.isStatic(modifiers))
      b.report('CS0708', declarators[0]!.name, declarators[0]!.name.text);
    for (const { name, initializer } of declarators) {
      this.name(name, false);
      if (isStaticType(b, type)) b.report('CS0723', name, typeText(type));
      checkSeen(b, 'CS0052', name, one, this.access(modifiers), type);
      if (one.shape === 'struct' && initializer !== null && !this.isStatic(modifiers) && !hasConstructor(one))
        b.report('CS8983', one.syntax.name);
      this.field(name, type, modifiers, initializer);
    }
  }

  private field(
    name: Syntax.Name,
    type: Type,
    modifiers: ReadonlySet<string>,
    initializer: UserField['initializer'],
    isHidden = false,
  ): UserField {
    const { one } = this;
    const isStatic = this.isStatic(modifiers);
    const made: UserField = {
      ...{ owner: one, name, type, access: this.access(modifiers), readonly: modifiers.has('readonly') },
      ...{ isStatic, initializer, index: -1, local: null, constant: undefined },
      ...{ isConst: modifiers.has('const'), pending: false },
    };
    one.fields.push(made);
    if (isHidden) return made;
    one.add({
      ...{ kind: 'field', owner: one, name: name.text, type, static: isStatic || one.isAlone, readonly: made.readonly },
      ...{ key: `${one.name}.${name.text}`, constant: null, refused: null, user: made },
    });
    return made;
  }

  /** CS0547, CS0082, CS0708, CS0720, CS0722: what a property or an indexer cannot be. */
  private propertyHead(
    { name, modifiers, parameters, get, set }: MemberSyntax & { kind: 'property' },
    type: Type,
  ): void {
    const { b, one } = this;
    const isIndexer = parameters !== null;
    if (get === null && set === null) b.report('CS0548', name, name.text);
    if (type === VOID) b.report('CS0547', name, name.text);
    for (const kind of ['get', 'set'])
      if (one.membersNamed(`${kind}_${name.text}`).length > 0) b.report('CS0082', name, `${kind}_${name.text}`);
    if (one.shape === 'static class' && !modifiers.has('static'))
      b.report(isIndexer ? 'CS0720' : 'CS0708', name, name.text);
    if (isStaticType(b, type)) b.report('CS0722', name, typeText(type));
    checkSeen(b, isIndexer ? 'CS0054' : 'CS0053', name, one, this.access(modifiers), type);
  }

  private property(member: MemberSyntax & { kind: 'property' }): void {
    const { b, one } = this;
    const { name, modifiers, get, set, parameters: indices } = member;
    const isIndexer = indices !== null;
    const type = this.type(member.type);
    if (!isIndexer) this.name(name, false);
    this.propertyHead(member, type);
    const parameters = (indices ?? []).map((parameter) => this.parameter(parameter));
    if (isIndexer) this.indexer(name, parameters);
    const hasNone = modifiers.has('abstract') || one.shape === 'interface';
    const isAuto = !hasNone && (get === 'auto' || set === 'auto');
    if (isAuto && isIndexer) b.report('CS0501', name, name.text);
    // The field behind it is set where the class says so, or anywhere.
    const field = isAuto
      ? this.field(name, type, fieldModifiers(modifiers, set === null), member.initializer, true)
      : null;
    const isStatic = this.isStatic(modifiers);
    const access = this.access(modifiers);
    const accessor = (kind: 'get' | 'set', body: typeof get): UserMethod | null => {
      if (body === null) return null;
      const value: Syntax.Parameter = {
        ...nothing,
        name: { text: 'value', ...nothing },
        type: member.type,
        mode: 'value',
        default: null,
      };
      const list = kind === 'get' ? (indices ?? []) : [...(indices ?? []), value];
      const returned: Syntax.TypeSyntax =
        kind === 'get' ? member.type : { kind: 'predefinedType', keyword: 'void', ...nothing };
      const written = body === 'auto' ? null : body;
      return this.addFunction({
        ...{
          name: { ...name, text: `${kind}_${isIndexer ? 'Item' : name.text}` },
          parameters: list,
          returnType: returned,
        },
        ...{
          modifiers,
          access,
          body: written,
          field: body === 'auto' ? field : null,
          isAbstract: hasNone && body === 'auto',
        },
      });
    };
    const [getter, setter] = [accessor('get', get), accessor('set', set)];
    one.add(
      {
        ...{ kind: 'property', owner: one, name: isIndexer ? 'Item' : name.text, parameters, type },
        ...{ static: isStatic || one.isAlone, refused: null, initOnly: member.isInit },
        getKey: getter && `${one.name}.get_${name.text}(${parameters.map((one) => typeText(one.type)).join(',')})`,
        setKey: setter && `${one.name}.set_${name.text}`,
        user: {
          ...{ owner: one, access, isStatic, field, get: getter, set: setter, isInit: member.isInit },
          getAccess: accessorAccess(member, 'get', access),
          setAccess: accessorAccess(member, 'set', access),
        },
      },
      isIndexer ? 'this' : name.text,
    );
  }

  /** CS0102, CS0111: the name of an indexer, and those of one signature. */
  private indexer(at: Syntax.Name, parameters: readonly ParameterSymbol[]): void {
    const { b, one } = this;
    if (one.membersNamed('Item').length > 0) b.report('CS0102', at, one.name, 'Item');
    const text = (list: readonly ParameterSymbol[]): string => list.map(({ type }) => typeText(type)).join(',');
    for (const other of one.membersNamed('this'))
      if (other.kind === 'property' && text(other.parameters) === text(parameters))
        b.report('CS0111', at, 'this', one.name);
  }

  private parameter(parameter: Syntax.Parameter): ParameterSymbol {
    const { b } = this;
    return writtenParameter(b, parameter, parameter.type ? bindType(b, parameter.type) : { kind: 'error' });
  }

  private method(member: MemberSyntax & { kind: 'method' }): void {
    const { b, one } = this;
    const { function: written, modifiers, hasBody } = member;
    const operator = /^operator (.+)$/.exec(written.name.text);
    const isAbstract = !hasBody;
    if (isAbstract && modifiers.has('abstract') && !one.abstract)
      b.report('CS0513', written.name, written.name.text, one.name);
    if (hasBody && modifiers.has('abstract')) b.report('CS0500', written.name, written.name.text);
    if (hasBody && one.shape === 'interface') b.report('CS8652', written.name, 'a body in an interface');
    checkExtension(b, one, written, modifiers.has('static'));
    if (operator === null) {
      this.name(written.name, true);
      if (one.shape === 'static class' && !modifiers.has('static')) b.report('CS0708', written.name, written.name.text);
      this.addFunction({
        ...written,
        modifiers,
        access: this.access(modifiers),
        body: hasBody ? written.body : null,
        field: null,
        isAbstract,
        source: written,
      });
      return;
    }
    const symbol = operator[1] as string;
    const name = operatorName(symbol, written.parameters.length === 1 ? 1 : 2);
    const isKnown = operatorName(symbol, 1) !== undefined || operatorName(symbol, 2) !== undefined;
    if (isKnown && !checkOperands(b, symbol, written)) return;
    if (name === undefined) {
      b.report('CS1019', written.name);
      return;
    }
    if (!modifiers.has('static') || !modifiers.has('public')) b.report('CS0558', written.name, name);
    const own = { ...written, name: { ...written.name, text: name } };
    const made = this.addFunction({
      ...{ ...own, modifiers, access: 'public', body: written.body, field: null, isAbstract: false },
    });
    checkOperator(b, one, symbol, written, made);
  }

  private constructor_(member: MemberSyntax & { kind: 'constructor' }): void {
    const { b } = this;
    const { modifiers, parameters, chain, body, name } = member;
    if (modifiers.has('static')) {
      if (parameters.length > 0) b.report('CS0132', name, name.text);
      this.addFunction({
        ...{
          name: { ...name, text: '.cctor' },
          parameters: [],
          modifiers,
          access: 'private',
          body,
          field: null,
          isAbstract: false,
        },
        returnType: voidSyntax,
      });
      return;
    }
    this.addConstructor({ name, parameters, modifiers, body, chain });
  }

  private addConstructor(
    described: Pick<MemberSyntax & { kind: 'constructor' }, 'name' | 'parameters' | 'modifiers' | 'body' | 'chain'>,
  ): void {
    const { one } = this;
    const { name, chain } = described;
    const made = this.addFunction({
      ...described,
      ...{ name: { ...name, text: 'new' }, access: this.access(described.modifiers), field: null, isAbstract: false },
      ...{ returnType: voidSyntax, chain },
    });
    one.constructors.push(made);
  }

  /** That of a class that writes none. */
  usualConstructor(): void {
    const { name } = this.one.syntax;
    const body: Syntax.BlockStatement = { kind: 'block', statements: [], ...name };
    this.addConstructor({ name, parameters: [], modifiers: new Set(['public']), body, chain: null });
  }

  positional({ name, type, default: _ }: Syntax.Parameter): void {
    if (type === null) return;
    const kind = this.one.syntax.kind;
    this.property({
      ...{ kind: 'property', modifiers: new Set(['public']), type, name, parameters: null, get: 'auto', set: 'auto' },
      ...{ isInit: kind === 'class', accessors: [], initializer: null, start: name.start, end: name.end },
    });
  }

  /** Sets the properties to what it is given. */
  recordConstructor(parameters: readonly Syntax.Parameter[]): void {
    const { name, bases, baseArguments } = this.one.syntax;
    const statements = ownParameters(this.one).map(settingProperty);
    const body: Syntax.BlockStatement = { kind: 'block', statements, start: name.start, end: name.end };
    const chain =
      bases.length > 0 && baseArguments.length > 0
        ? ({ kind: 'base', at: name, arguments: baseArguments } as const)
        : null;
    this.addConstructor({ name, parameters, modifiers: new Set(['public']), body, chain });
  }

  private addFunction(described: {
    readonly name: Syntax.Name;
    readonly parameters: readonly Syntax.Parameter[];
    readonly returnType: Syntax.TypeSyntax;
    readonly modifiers: ReadonlySet<string>;
    readonly access: Access;
    readonly body: UserMethod['body'];
    readonly field: UserField | null;
    readonly isAbstract: boolean;
    readonly chain?: UserMethod['chain'];
    readonly source?: FunctionSyntax;
  }): UserMethod {
    const { b, one } = this;
    const { name, modifiers, body, field, isAbstract, source } = described;
    const isStatic = modifiers.has('static');
    const isConstructor = name.text === 'new';
    const parameters = described.parameters;
    const written: FunctionSyntax = {
      ...{ kind: 'localFunction', static: false, returnType: described.returnType, name, parameters },
      ...{ typeParameters: source?.typeParameters ?? [], constraints: source?.constraints ?? [] },
      ...{ body: body ?? { kind: 'error', ...nothing }, start: name.start, end: name.end },
    };
    const local = functionSymbol(b, written);
    const isAccessor = /^[gs]et_/.test(name.text) && source === undefined;
    if (!isAccessor) checkHead(b, one, name, described.access, parameters, local);
    const signature = `${name.text}(${local.parameters.map(({ type, mode }) => `${mode === 'value' ? '' : `${mode} `}${typeText(type)}`).join(',')})`;
    if (!isAccessor && this.hasSignature(name.text, signature)) b.report('CS0111', name, name.text, one.name);
    else if (!isAccessor && this.differsByMode(name.text, signature)) b.report('CS0663', name, name.text, one.name);
    const made: UserMethod = {
      ...{ owner: one, name: name.text, signature, access: described.access, modifiers, isStatic },
      hasThis: !isStatic && !one.isAlone,
      isVirtual: ['virtual', 'abstract', 'override'].some((word) => modifiers.has(word)) || one.shape === 'interface',
      ...{ isConstructor, function: isAbstract ? null : local, body, field, chain: described.chain ?? null },
      ...{ dispatchers: new Map(), symbol: null as unknown as MethodSymbol },
    };
    if (local.generic !== null && made.hasThis) b.report('CS8652', name, 'a generic method of an object');
    made.symbol = {
      ...{ kind: 'method', owner: one, name: name.text, typeParameters: local.generic?.method.typeParameters ?? [] },
      ...{ parameters: local.parameters, returnType: isConstructor ? one.type : local.returnType },
      ...{ static: isStatic || isConstructor || one.isAlone, key: `${one.name}.${signature}`, refused: null },
      ...{ extension: described.parameters[0]?.mode === 'this' && one.shape === 'static class', user: made },
    };
    one.methods.push(made);
    if (!isAccessor && name.text !== '.cctor') one.add(made.symbol);
    if (isConstructor && one.isAlone) one.add({ ...made.symbol, returnType: VOID }, '__Construct');
    return made;
  }

  /** CS0663: two that differ by `ref` and `out` alone. */
  private differsByMode(name: string, signature: string): boolean {
    const plain = (text: string): string => text.replace(/(?<=[(,])(?:ref|out|in) /g, '& ');
    return this.one
      .membersNamed(name)
      .some((member) => member.kind === 'method' && plain(member.user?.signature ?? '') === plain(signature));
  }

  private hasSignature(name: string, signature: string): boolean {
    return this.one
      .membersNamed(name)
      .some((member) => member.kind === 'method' && member.user?.signature === signature);
  }
}

const voidSyntax: Syntax.TypeSyntax = { kind: 'predefinedType', keyword: 'void', ...nothing };
