// The fixed member names of element reads, as words: the module may hold no data section, so no text exists as a literal.
// Each function writes the text in its comment at `p` and answers the address behind it; none writes a byte beyond that.
// Texts are UTF-8, words little-endian; the last word overlaps the one before it instead of being cut up.

/** `{"id":` */
// @ts-ignore: decorator
@inline
export function putElementStart(p: usize): usize {
  store<u32>(p, 0x6469227b);
  store<u32>(p, 0x3a226469, 2);
  return p + 6;
}

/** `{"kind":"vertex","id":` */
// @ts-ignore: decorator
@inline
export function putVertexItemStart(p: usize): usize {
  store<u64>(p, 0x3a22646e696b227b);
  store<u64>(p, 0x2278657472657622, 8);
  store<u64>(p, 0x3a226469222c2278, 14);
  return p + 22;
}

/** `{"kind":"edge","id":` */
// @ts-ignore: decorator
@inline
export function putEdgeItemStart(p: usize): usize {
  store<u64>(p, 0x3a22646e696b227b);
  store<u64>(p, 0x222c226567646522, 8);
  store<u32>(p, 0x3a226469, 16);
  return p + 20;
}

/** `,"creationDate":"` */
// @ts-ignore: decorator
@inline
export function putCreationDate(p: usize): usize {
  store<u64>(p, 0x697461657263222c);
  store<u64>(p, 0x3a22657461446e6f, 8);
  store<u32>(p, 0x223a2265, 13);
  return p + 17;
}

/** `","modificationDate":"` */
// @ts-ignore: decorator
@inline
export function putModificationDate(p: usize): usize {
  store<u64>(p, 0x6669646f6d222c22);
  store<u64>(p, 0x446e6f6974616369, 8);
  store<u64>(p, 0x223a22657461446e, 14);
  return p + 22;
}

/** `","label":` */
// @ts-ignore: decorator
@inline
export function putLabel(p: usize): usize {
  store<u64>(p, 0x6c6562616c222c22);
  store<u32>(p, 0x3a226c65, 6);
  return p + 10;
}

/** `,"properties":[` */
// @ts-ignore: decorator
@inline
export function putProperties(p: usize): usize {
  store<u64>(p, 0x7265706f7270222c);
  store<u64>(p, 0x5b3a227365697472, 7);
  return p + 15;
}

/** `{"propertyId":` */
// @ts-ignore: decorator
@inline
export function putPropertyId(p: usize): usize {
  store<u64>(p, 0x7265706f7270227b);
  store<u64>(p, 0x3a22644979747265, 6);
  return p + 14;
}

/** `,"fullQualifiedTypeName":"` */
// @ts-ignore: decorator
@inline
export function putTypeName(p: usize): usize {
  store<u64>(p, 0x75516c6c7566222c);
  store<u64>(p, 0x5464656966696c61, 8);
  store<u64>(p, 0x22656d614e657079, 16);
  store<u32>(p, 0x223a2265, 22);
  return p + 26;
}

/** `","propertyValue":` */
// @ts-ignore: decorator
@inline
export function putPropertyValue(p: usize): usize {
  store<u64>(p, 0x65706f7270222c22);
  store<u64>(p, 0x65756c6156797472, 8);
  store<u32>(p, 0x3a226575, 14);
  return p + 18;
}

/** `,"outEdges":` */
// @ts-ignore: decorator
@inline
export function putOutEdges(p: usize): usize {
  store<u64>(p, 0x67644574756f222c);
  store<u32>(p, 0x3a227365, 8);
  return p + 12;
}

/** `,"inEdges":` */
// @ts-ignore: decorator
@inline
export function putInEdges(p: usize): usize {
  store<u64>(p, 0x656764456e69222c);
  store<u32>(p, 0x3a227365, 7);
  return p + 11;
}

/** `,"sourceVertex":` */
// @ts-ignore: decorator
@inline
export function putSourceVertex(p: usize): usize {
  store<u64>(p, 0x656372756f73222c);
  store<u64>(p, 0x3a22786574726556, 8);
  return p + 16;
}

/** `,"targetVertex":` */
// @ts-ignore: decorator
@inline
export function putTargetVertex(p: usize): usize {
  store<u64>(p, 0x746567726174222c);
  store<u64>(p, 0x3a22786574726556, 8);
  return p + 16;
}

/** `,"edgePropertyId":` */
// @ts-ignore: decorator
@inline
export function putEdgePropertyId(p: usize): usize {
  store<u64>(p, 0x725065676465222c);
  store<u64>(p, 0x644979747265706f, 8);
  store<u32>(p, 0x3a226449, 14);
  return p + 18;
}

/** `null` */
// @ts-ignore: decorator
@inline
export function putNull(p: usize): usize {
  store<u32>(p, 0x6c6c756e);
  return p + 4;
}
