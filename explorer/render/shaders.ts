// The programs of the graphics processor. Distances scale with the zoom, radii with its root, as in camera.ts. They read their rows from
// textures by the number of the corner that is drawn: without instances, because software that stands in for a graphics processor begins anew
// for each of them.

import { textureWidth } from './buffers.ts';

const shared = `#version 300 es
precision highp float;
uniform highp sampler2D places;   // of a vertex: x, y, radius, emphasis
uniform lowp sampler2D colours;
uniform highp sampler2D lines;    // of an edge two texels: both ends; bend, radius of the target, emphasis, radius of the source
uniform vec4 view;  // middle x, y, scale, pixels of a CSS pixel
uniform vec2 size;  // CSS pixels
ivec2 texel(int at) { return ivec2(at % ${textureWidth}, at / ${textureWidth}); }
// Of the two triangles of a quad: which of its corners, bit 0 across and bit 1 along.
int cornerOf(int vertex) { int at = vertex % 6; return at < 3 ? at : 6 - at; }
vec4 clip(vec2 pixel) { return vec4(2.0 * pixel.x / size.x, -2.0 * pixel.y / size.y, 0.0, 1.0); }
vec2 pixelOf(vec2 point) { return (point - view.xy) * view.z; }
float radiusOf(float radius) { return clamp(radius * sqrt(view.z), 1.5, 26.0); }
`;

const edgeShared = `${shared}
vec4 ends, more;
void read(int edge) {
  ends = texelFetch(lines, texel(2 * edge), 0);
  more = texelFetch(lines, texel(2 * edge + 1), 0);
}
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
// How much of the line's way lies within the disc at its end; by symmetry as much within an equal one at its beginning. A bent line comes near
// its end faster than its ends are apart.
float partWithin(vec2 a, vec2 b, float radius) {
  if (ends.xy == ends.zw) return asin(0.5 * radius / max(more.x * view.z, radius)) / 3.1415927;
  float rest = radius / max(1.0, length(vec2(0.5 * distance(a, b), 2.0 * more.x * view.z)) * 2.0);
  for (int turn = 0; turn < 3; turn++)
    rest *= radius / max(1e-3, distance(pointAt(a, b, max(0.0, 1.0 - rest)), b));
  return clamp(rest, 0.0, 1.0);
}
float endOf(vec2 a, vec2 b) { return 1.0 - partWithin(a, b, radiusOf(more.y)); }
`;

/** Edges are smooth by what their pixels are covered: samples of each pixel cost software three times as much. */
const edgeColour = `#version 300 es
precision highp float;
uniform vec3 plain;
uniform vec3 chosen;
uniform float opacity;
flat in float emphasis;
out vec4 colour;
vec4 edgeColour(float covered) {
  float alpha = covered * (emphasis > 1.5 ? 0.9 : emphasis < 0.5 ? 0.12 * opacity : opacity);
  return vec4((emphasis > 1.5 ? chosen : plain) * alpha, alpha);
}`;

export const edgeProgram = {
  vertex: `${edgeShared}
uniform int segments;
uniform int first; // the first edge of those that are drawn
flat out float emphasis;
flat out float halfWidth; // pixels of the screen, as the next
out float away;
void main() {
  read(first + gl_VertexID / (6 * segments));
  int corner = cornerOf(gl_VertexID);
  vec2 a = pixelOf(ends.xy), b = pixelOf(ends.zw);
  float last = endOf(a, b);
  float begin = min(last, partWithin(a, b, radiusOf(more.w)));
  float t = mix(begin, last, float(gl_VertexID / 6 % segments + corner / 2) / float(segments));
  float side = float(corner % 2) * 2.0 - 1.0;
  vec2 here = pointAt(a, b, t);
  vec2 ahead = pointAt(a, b, min(1.0, t + 0.02));
  vec2 behind = pointAt(a, b, max(0.0, t - 0.02));
  vec2 along = ahead - behind;
  vec2 across = length(along) < 1e-4 ? vec2(0.0) : normalize(vec2(-along.y, along.x));
  emphasis = more.z;
  halfWidth = (emphasis > 1.5 ? 1.1 : 0.6) * view.w;
  away = side * (halfWidth + 0.5);
  gl_Position = clip(here + across * away / view.w);
}`,
  fragment: `${edgeColour}
flat in float halfWidth;
in float away;
void main() {
  colour = edgeColour(clamp(halfWidth + 0.5 - abs(away), 0.0, 1.0));
}`,
};

export const arrowProgram = {
  vertex: `${edgeShared}
flat out float emphasis;
out vec3 inside; // its least part is 0 at the sides
void main() {
  read(gl_VertexID / 3);
  int corner = gl_VertexID % 3;
  inside = vec3(corner == 0, corner == 1, corner == 2);
  vec2 a = pixelOf(ends.xy), b = pixelOf(ends.zw);
  float last = endOf(a, b);
  vec2 tip = pointAt(a, b, last);
  vec2 back = pointAt(a, b, max(0.0, last - 0.05));
  vec2 along = normalize(tip - back + vec2(1e-5, 0.0));
  vec2 across = vec2(-along.y, along.x);
  float reach = clamp(6.0 * sqrt(view.z), 2.0, 9.0);
  float side = float(corner) - 1.0;
  vec2 here = corner == 1 ? tip : tip - along * reach + across * side * reach * 0.42;
  emphasis = more.z;
  gl_Position = clip(here);
}`,
  fragment: `${edgeColour}
in vec3 inside;
void main() {
  vec3 away = inside / fwidth(inside);
  colour = edgeColour(clamp(min(away.x, min(away.y, away.z)) + 0.5, 0.0, 1.0));
}`,
};

export const vertexProgram = {
  vertex: `${shared}
out vec2 offset;
flat out vec4 inner;
flat out float radius;
flat out float emphasis;
void main() {
  vec4 place = texelFetch(places, texel(gl_VertexID / 6), 0);
  radius = radiusOf(place.z);
  int at = cornerOf(gl_VertexID);
  vec2 corner = vec2(at & 1, at >> 1) * 2.0 - 1.0;
  offset = corner * (radius + (place.w > 1.5 ? 4.0 : 1.0)); // a ring around what is chosen alone: most of a large picture is this edge
  inner = texelFetch(colours, texel(gl_VertexID / 6), 0);
  emphasis = place.w;
  gl_Position = clip(pixelOf(place.xy) + offset);
}`,
  fragment: `#version 300 es
precision highp float;
uniform vec3 rim;
uniform vec3 chosen;
uniform vec4 view;
in vec2 offset;
flat in vec4 inner;
flat in float radius;
flat in float emphasis;
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
