// The constant text of bulk lines. The core has no data section, so text is code: each function stores its bytes at `p`, eight at a
// time (up to seven bytes behind the text are overwritten), and answers the address behind the text. Knows nothing else.

/** {"type":"vertex","id": */
export function putVertexStart(p: usize): usize {
  store<u64>(p, 0x3a2265707974227b);
  store<u64>(p, 0x2278657472657622, 8);
  store<u64>(p, 0x3a226469222c, 16);
  return p + 22;
}

/** {"type":"edge","id": */
export function putEdgeStart(p: usize): usize {
  store<u64>(p, 0x3a2265707974227b);
  store<u64>(p, 0x222c226567646522, 8);
  store<u64>(p, 0x3a226469, 16);
  return p + 20;
}

/** ,"edgePropertyId": */
export function putEdgeType(p: usize): usize {
  store<u64>(p, 0x725065676465222c);
  store<u64>(p, 0x644979747265706f, 8);
  store<u64>(p, 0x3a22, 16);
  return p + 18;
}

/** ,"source": */
export function putSource(p: usize): usize {
  store<u64>(p, 0x656372756f73222c);
  store<u64>(p, 0x3a22, 8);
  return p + 10;
}

/** ,"target": */
export function putTarget(p: usize): usize {
  store<u64>(p, 0x746567726174222c);
  store<u64>(p, 0x3a22, 8);
  return p + 10;
}

/** ,"label": */
export function putLabel(p: usize): usize {
  store<u64>(p, 0x226c6562616c222c);
  store<u64>(p, 0x3a, 8);
  return p + 9;
}

/** ,"creationDate": */
export function putCreation(p: usize): usize {
  store<u64>(p, 0x697461657263222c);
  store<u64>(p, 0x3a22657461446e6f, 8);
  return p + 16;
}

/** ,"properties":{ */
export function putProperties(p: usize): usize {
  store<u64>(p, 0x7265706f7270222c);
  store<u64>(p, 0x7b3a2273656974, 8);
  return p + 15;
}

/** :{"type":" */
export function putTypeStart(p: usize): usize {
  store<u64>(p, 0x2265707974227b3a);
  store<u64>(p, 0x223a, 8);
  return p + 10;
}

/** ","value":" */
export function putValueStart(p: usize): usize {
  store<u64>(p, 0x65756c6176222c22);
  store<u64>(p, 0x223a22, 8);
  return p + 11;
}

/** {"type":"meta","format":"service-jsonl","version":2,"vertexCount": */
export function putMetaStart(p: usize): usize {
  store<u64>(p, 0x3a2265707974227b);
  store<u64>(p, 0x222c226174656d22, 8);
  store<u64>(p, 0x3a2274616d726f66, 16);
  store<u64>(p, 0x6563697672657322, 24);
  store<u64>(p, 0x2c226c6e6f736a2d, 32);
  store<u64>(p, 0x6e6f697372657622, 40);
  store<u64>(p, 0x726576222c323a22, 48);
  store<u64>(p, 0x746e756f43786574, 56);
  store<u64>(p, 0x3a22, 64);
  return p + 66;
}

/** ,"edgeCount": */
export function putEdgeCount(p: usize): usize {
  store<u64>(p, 0x6f4365676465222c);
  store<u64>(p, 0x3a22746e75, 8);
  return p + 13;
}

/** ,"exportedAtUtc": */
export function putExported(p: usize): usize {
  store<u64>(p, 0x74726f707865222c);
  store<u64>(p, 0x2263745574416465, 8);
  store<u64>(p, 0x3a, 16);
  return p + 17;
}
