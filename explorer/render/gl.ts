// Draws the buffers: straight edges, bent ones, arrow heads, vertices, each layer by one call.

import { channelsOf } from '../style/palette.ts';
import { type Buffers, maxCurves, textureWidth } from './buffers.ts';
import type { Camera, Size } from './camera.ts';
import { arrowProgram, edgeProgram, vertexProgram } from './shaders.ts';

export interface GlColours {
  readonly edge: string;
  readonly chosen: string;
  readonly rim: string;
}

/** Of a curve: few where there are many, so that all together stay below a number. */
const [fewestSegments, mostSegments] = [14, 48];
const maxSegments = fewestSegments * maxCurves;
/** Up to so many have arrow heads. */
const maxArrows = 30_000;
/** More edges than this fade, so that a thicket stays readable. */
const fadeFrom = 400;
const pollMs = 4;

/** Textures by the names that the programs give them, in the order of their units. */
const textureNames = ['places', 'colours', 'lines'] as const;

interface Layer {
  readonly program: WebGLProgram;
  readonly uniforms: Map<string, WebGLUniformLocation>;
}

export class GlRenderer {
  private readonly gl: WebGL2RenderingContext;
  private readonly edges: Layer;
  private readonly arrows: Layer;
  private readonly vertices: Layer;
  private counts = { edges: 0, straight: 0, vertices: 0 };

  /** Null when the browser gives no WebGL2. */
  static of(canvas: HTMLCanvasElement): GlRenderer | null {
    const gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: true, preserveDrawingBuffer: true });
    return gl === null ? null : new GlRenderer(gl);
  }

  private constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.edges = this.layerOf(edgeProgram);
    this.arrows = this.layerOf(arrowProgram);
    this.vertices = this.layerOf(vertexProgram);
    for (const unit of textureNames.keys()) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  upload({ vertices, vertexColours, edges, drawnEdges, straight, vertexIds }: Buffers): void {
    this.fill('places', vertices);
    this.fill('colours', vertexColours);
    this.fill('lines', edges);
    this.counts = { edges: drawnEdges.length, straight, vertices: vertexIds.length };
  }

  /** Edges of what was sent last. */
  get edgeCount(): number {
    return this.counts.edges;
  }

  /** Draws the first `edges` of the edges; how much they fade says how many there are. */
  draw(camera: Camera, { width, height }: Size, ratio: number, colours: GlColours, edges: number): void {
    const { gl, counts } = this;
    gl.viewport(0, 0, Math.round(width * ratio), Math.round(height * ratio));
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const opacity = Math.max(0.2, Math.min(0.75, 0.75 * Math.sqrt(fadeFrom / Math.max(1, counts.edges))));
    const begin = ({ program, uniforms }: Layer): void => {
      gl.useProgram(program);
      const at = (name: string): WebGLUniformLocation | null => uniforms.get(name) ?? null;
      gl.uniform4f(at('view'), camera.x, camera.y, camera.scale, ratio);
      gl.uniform2f(at('size'), width, height);
      gl.uniform3f(at('plain'), ...channelsOf(colours.edge));
      gl.uniform3f(at('chosen'), ...channelsOf(colours.chosen));
      gl.uniform3f(at('rim'), ...channelsOf(colours.rim));
      gl.uniform1f(at('opacity'), opacity);
    };
    begin(this.edges);
    const straight = Math.min(edges, counts.straight);
    const fitting = Math.floor(maxSegments / Math.max(1, counts.edges - counts.straight));
    this.drawLines(0, straight, 1);
    this.drawLines(straight, edges - straight, Math.max(fewestSegments, Math.min(mostSegments, fitting)));
    if (counts.edges <= maxArrows && camera.scale > 0.25) {
      begin(this.arrows);
      gl.drawArrays(gl.TRIANGLES, 0, 3 * edges);
    }
    begin(this.vertices);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * counts.vertices);
  }

  private drawLines(first: number, count: number, segments: number): void {
    if (count === 0) return;
    const { gl, edges } = this;
    gl.uniform1i(edges.uniforms.get('first') ?? null, first);
    gl.uniform1i(edges.uniforms.get('segments') ?? null, segments);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * segments * count);
  }

  /** Told once what was drawn until now is drawn, and how long that took; null where it is not known, because the context is lost. */
  whenDrawn(told: (ms: number | null) => void): void {
    const { gl } = this;
    const startMs = performance.now();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = (): void => {
      if (fence === null || gl.isContextLost()) {
        told(null);
        return;
      }
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(look, pollMs);
        return;
      }
      gl.deleteSync(fence);
      told(performance.now() - startMs);
    };
    setTimeout(look, pollMs);
  }

  private fill(name: (typeof textureNames)[number], numbers: Float32Array | Uint8Array): void {
    const { gl } = this;
    const [format, type] = numbers instanceof Float32Array ? [gl.RGBA32F, gl.FLOAT] : [gl.RGBA8, gl.UNSIGNED_BYTE];
    const height = numbers.length / (4 * textureWidth);
    gl.activeTexture(gl.TEXTURE0 + textureNames.indexOf(name));
    gl.texImage2D(gl.TEXTURE_2D, 0, format, textureWidth, height, 0, gl.RGBA, type, numbers);
  }

  private layerOf(source: { vertex: string; fragment: string }): Layer {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, source.vertex],
      [gl.FRAGMENT_SHADER, source.fragment],
    ] as const) {
      const shader = gl.createShader(kind) as WebGLShader;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true && !gl.isContextLost())
      throw new Error(`A shader does not link: ${gl.getProgramInfoLog(program) ?? ''}`);
    const uniforms = new Map<string, WebGLUniformLocation>();
    for (const name of ['view', 'size', 'plain', 'chosen', 'rim', 'opacity', 'segments', 'first']) {
      const place = gl.getUniformLocation(program, name);
      if (place !== null) uniforms.set(name, place);
    }
    gl.useProgram(program);
    for (const [unit, name] of textureNames.entries()) gl.uniform1i(gl.getUniformLocation(program, name), unit);
    return { program, uniforms };
  }
}
