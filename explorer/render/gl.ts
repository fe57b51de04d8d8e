// Draws the buffers: edges, arrow heads, vertices, each layer by one call.

import { channelsOf } from '../style/palette.ts';
import { type Buffers, edgeFloats, vertexFloats } from './buffers.ts';
import type { Camera, Size } from './camera.ts';
import { arrowProgram, edgeProgram, vertexProgram } from './shaders.ts';

export interface GlColours {
  readonly edge: string;
  readonly chosen: string;
  readonly rim: string;
}

/** Up to so many edges are drawn as curves. */
const maxCurves = 8_000;
const curveSegments = 14;
/** Up to so many have arrow heads. */
const maxArrows = 30_000;
/** More edges than this fade, so that a thicket stays readable. */
const fadeFrom = 400;
const pollMs = 4;

interface Layer {
  readonly program: WebGLProgram;
  readonly array: WebGLVertexArrayObject;
  readonly uniforms: Map<string, WebGLUniformLocation>;
}

export class GlRenderer {
  private readonly gl: WebGL2RenderingContext;
  private readonly edgeBuffer: WebGLBuffer;
  private readonly vertexBuffer: WebGLBuffer;
  private readonly colourBuffer: WebGLBuffer;
  private readonly edges: Layer;
  private readonly arrows: Layer;
  private readonly vertices: Layer;
  private counts = { edges: 0, vertices: 0 };

  /** Null when the browser gives no WebGL2. */
  static of(canvas: HTMLCanvasElement): GlRenderer | null {
    const gl = canvas.getContext('webgl2', { antialias: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
    return gl === null ? null : new GlRenderer(gl);
  }

  private constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.edgeBuffer = gl.createBuffer();
    this.vertexBuffer = gl.createBuffer();
    this.colourBuffer = gl.createBuffer();
    this.edges = this.layerOf(edgeProgram, () => this.edgeAttributes());
    this.arrows = this.layerOf(arrowProgram, () => this.edgeAttributes());
    this.vertices = this.layerOf(vertexProgram, () => {
      this.attribute(this.vertexBuffer, 0, { size: 4, stride: 4 * vertexFloats, offset: 0 });
      gl.bindBuffer(gl.ARRAY_BUFFER, this.colourBuffer);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4, 0);
      gl.vertexAttribDivisor(1, 1);
    });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  upload({ vertices, vertexColours, edges, drawnEdges, vertexIds }: Buffers): void {
    this.fill(this.vertexBuffer, vertices);
    this.fill(this.colourBuffer, vertexColours);
    this.fill(this.edgeBuffer, edges);
    this.counts = { edges: drawnEdges.length, vertices: vertexIds.length };
  }

  /** Edges of what was sent last. */
  get edgeCount(): number {
    return this.counts.edges;
  }

  /** Draws the first `edges` of the edges; how much they fade and whether they bend says how many there are. */
  draw(camera: Camera, { width, height }: Size, ratio: number, colours: GlColours, edges: number): void {
    const { gl, counts } = this;
    gl.viewport(0, 0, Math.round(width * ratio), Math.round(height * ratio));
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const opacity = Math.max(0.2, Math.min(0.75, 0.75 * Math.sqrt(fadeFrom / Math.max(1, counts.edges))));
    const begin = ({ program, array, uniforms }: Layer): void => {
      gl.useProgram(program);
      gl.bindVertexArray(array);
      const at = (name: string): WebGLUniformLocation | null => uniforms.get(name) ?? null;
      gl.uniform4f(at('view'), camera.x, camera.y, camera.scale, ratio);
      gl.uniform2f(at('size'), width, height);
      gl.uniform3f(at('plain'), ...channelsOf(colours.edge));
      gl.uniform3f(at('chosen'), ...channelsOf(colours.chosen));
      gl.uniform3f(at('rim'), ...channelsOf(colours.rim));
      gl.uniform1f(at('opacity'), opacity);
    };
    const segments = counts.edges <= maxCurves ? curveSegments : 1;
    begin(this.edges);
    gl.uniform1f(this.edges.uniforms.get('segments') ?? null, segments);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (segments + 1), edges);
    if (counts.edges <= maxArrows && camera.scale > 0.25) {
      begin(this.arrows);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, edges);
    }
    begin(this.vertices);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, counts.vertices);
  }

  /** Told once what was drawn until now is drawn, and how long that took. */
  whenDrawn(told: (ms: number) => void): void {
    const { gl } = this;
    const startMs = performance.now();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence === null) return;
    gl.flush();
    const look = (): void => {
      if (gl.isContextLost()) return;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(look, pollMs);
        return;
      }
      gl.deleteSync(fence);
      told(performance.now() - startMs);
    };
    setTimeout(look, pollMs);
  }

  private fill(buffer: WebGLBuffer, bytes: ArrayBufferView<ArrayBuffer>): void {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, bytes, this.gl.DYNAMIC_DRAW);
  }

  private edgeAttributes(): void {
    this.attribute(this.edgeBuffer, 0, { size: 4, stride: 4 * edgeFloats, offset: 0 });
    this.attribute(this.edgeBuffer, 1, { size: 3, stride: 4 * edgeFloats, offset: 16 });
  }

  private attribute(buffer: WebGLBuffer, at: number, shape: { size: number; stride: number; offset: number }): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, shape.size, gl.FLOAT, false, shape.stride, shape.offset);
    gl.vertexAttribDivisor(at, 1);
  }

  private layerOf(source: { vertex: string; fragment: string }, attributes: () => void): Layer {
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
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    attributes();
    const uniforms = new Map<string, WebGLUniformLocation>();
    for (const name of ['view', 'size', 'plain', 'chosen', 'rim', 'opacity', 'segments']) {
      const place = gl.getUniformLocation(program, name);
      if (place !== null) uniforms.set(name, place);
    }
    return { program, array, uniforms };
  }
}
