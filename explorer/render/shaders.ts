// The programs of the graphics processor. Distances scale with the zoom, radii with its root, as in camera.ts.

const shared = `#version 300 es
precision highp float;
uniform vec4 view;  // middle x, y, scale, pixels of a CSS pixel
uniform vec2 size;  // CSS pixels
vec4 clip(vec2 pixel) { return vec4(2.0 * pixel.x / size.x, -2.0 * pixel.y / size.y, 0.0, 1.0); }
vec2 pixelOf(vec2 point) { return (point - view.xy) * view.z; }
float radiusOf(float radius) { return clamp(radius * sqrt(view.z), 1.5, 26.0); }
`;

const edgeShared = `${shared}
layout(location = 0) in vec4 ends;
layout(location = 1) in vec3 more; // bend, radius of the target, emphasis
vec2 pointAt(vec2 a, vec2 b, float t) {
  float bend = more.x * view.z;
  if (ends.xy == ends.zw) {
    float angle = 6.2831853 * t;
    float loop = max(bend, radiusOf(more.y));
    return a + loop * vec2(sin(angle), cos(angle) - 1.0);
  }
  vec2 along = b - a;
  vec2 across = normalize(vec2(-along.y, along.x));
  vec2 middle = 0.5 * (a + b) + 2.0 * bend * across;
  return mix(mix(a, middle, t), mix(middle, b, t), t);
}
float endOf(vec2 a, vec2 b) {
  if (ends.xy == ends.zw) return 0.94;
  return max(0.0, 1.0 - radiusOf(more.y) / max(1.0, distance(a, b)));
}
`;

export const edgeProgram = {
  vertex: `${edgeShared}
uniform float segments;
out float emphasis;
void main() {
  vec2 a = pixelOf(ends.xy), b = pixelOf(ends.zw);
  float last = endOf(a, b);
  float t = floor(float(gl_VertexID) / 2.0) / segments * last;
  float side = float(gl_VertexID % 2) * 2.0 - 1.0;
  vec2 here = pointAt(a, b, t);
  vec2 ahead = pointAt(a, b, min(1.0, t + 0.02));
  vec2 behind = pointAt(a, b, max(0.0, t - 0.02));
  vec2 along = ahead - behind;
  vec2 across = length(along) < 1e-4 ? vec2(0.0) : normalize(vec2(-along.y, along.x));
  emphasis = more.z;
  float width = emphasis > 1.5 ? 1.1 : 0.6;
  gl_Position = clip(here + across * side * width);
}`,
  fragment: `#version 300 es
precision highp float;
uniform vec3 plain;
uniform vec3 chosen;
uniform float opacity;
in float emphasis;
out vec4 colour;
void main() {
  float alpha = emphasis > 1.5 ? 0.9 : emphasis < 0.5 ? 0.12 * opacity : opacity;
  colour = vec4((emphasis > 1.5 ? chosen : plain) * alpha, alpha);
}`,
};

export const arrowProgram = {
  vertex: `${edgeShared}
out float emphasis;
void main() {
  vec2 a = pixelOf(ends.xy), b = pixelOf(ends.zw);
  float last = endOf(a, b);
  vec2 tip = pointAt(a, b, last);
  vec2 back = pointAt(a, b, max(0.0, last - 0.05));
  vec2 along = normalize(tip - back + vec2(1e-5, 0.0));
  vec2 across = vec2(-along.y, along.x);
  float reach = clamp(6.0 * sqrt(view.z), 2.0, 9.0);
  float side = float(gl_VertexID) - 1.0;
  vec2 corner = gl_VertexID == 1 ? tip : tip - along * reach + across * side * reach * 0.42;
  emphasis = more.z;
  gl_Position = clip(corner);
}`,
  fragment: edgeProgram.fragment,
};

export const vertexProgram = {
  vertex: `${shared}
layout(location = 0) in vec4 place; // x, y, radius, emphasis
layout(location = 1) in vec4 fill;
out vec2 offset;
out vec4 inner;
out float radius;
out float emphasis;
void main() {
  radius = radiusOf(place.z);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  offset = corner * (radius + (place.w > 1.5 ? 4.0 : 1.0)); // a ring around what is chosen alone: most of a large picture is this edge
  inner = fill;
  emphasis = place.w;
  gl_Position = clip(pixelOf(place.xy) + offset);
}`,
  fragment: `#version 300 es
precision highp float;
uniform vec3 rim;
uniform vec3 chosen;
uniform vec4 view;
in vec2 offset;
in vec4 inner;
in float radius;
in float emphasis;
out vec4 colour;
void main() {
  float away = length(offset);
  float soft = 0.7 / view.w;
  float disc = 1.0 - smoothstep(radius - soft, radius + soft, away);
  vec3 fill = inner.rgb;
  if (radius > 3.0) fill = mix(fill, rim, smoothstep(radius - 1.2 - soft, radius - 1.2 + soft, away));
  float ring = emphasis > 1.5 ? smoothstep(radius + 0.8 - soft, radius + 0.8 + soft, away)
    * (1.0 - smoothstep(radius + 3.2 - soft, radius + 3.2 + soft, away)) : 0.0;
  float alpha = max(disc * (emphasis < 0.5 ? 0.22 : 1.0), ring);
  if (alpha < 0.01) discard;
  colour = vec4(mix(fill, chosen, ring) * alpha, alpha);
}`,
};
