import pc from "picocolors";

/** Shows progress to the user. */
export interface Report {
  /** Runs `work` as a step: shows its name and elapsed time while it runs, and the total time when it ends. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Shows one line. */
  say(line: string): void;
}

/** Shows nothing. */
export const silent: Report = {
  step: (_what, work) => work(),
  say: () => {},
};

const REDRAW_MS = 500;
const REMINDER_MS = 15_000;
/** Steps shorter than this get no closing line on a stream that is not a terminal. */
const WORTH_A_LINE_MS = 1_000;

/**
 * Shows steps on a stream: on a terminal as one line that is redrawn with the seconds of all running steps, otherwise as
 * a line when a step starts, every 15 seconds, and when it ends.
 */
export function reportOn(stream: NodeJS.WriteStream = process.stderr): Report {
  return stream.isTTY ? new LiveReport(stream) : new LineReport(stream);
}

class LineReport implements Report {
  constructor(private readonly stream: NodeJS.WritableStream) {}

  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    this.say(`${what} ...`);
    const reminder = setInterval(() => this.say(`${what} ... ${seconds(start)}`), REMINDER_MS);
    reminder.unref();
    try {
      const result = await work();
      if (Date.now() - start > WORTH_A_LINE_MS) {
        this.say(`${what}: done in ${seconds(start)}`);
      }
      return result;
    } finally {
      clearInterval(reminder);
    }
  }

  say(line: string): void {
    this.stream.write(`${line}\n`);
  }
}

class LiveReport implements Report {
  private readonly underWay = new Map<symbol, { what: string; start: number }>();
  private redraw: NodeJS.Timeout | undefined;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const key = Symbol(what);
    const start = Date.now();
    this.underWay.set(key, { what, start });
    this.draw();
    this.redraw ??= setInterval(() => this.draw(), REDRAW_MS).unref();
    let mark = pc.red("✗");
    try {
      const result = await work();
      mark = pc.green("✓");
      return result;
    } finally {
      this.underWay.delete(key);
      this.say(`${mark} ${what} ${pc.dim(seconds(start))}`);
      if (this.underWay.size === 0) {
        clearInterval(this.redraw);
        this.redraw = undefined;
      }
    }
  }

  say(line: string): void {
    this.stream.write(`\r\x1b[K${line}\n`);
    this.draw();
  }

  private draw(): void {
    const line = [...this.underWay.values()]
      .map(({ what, start }) => `${what} ${seconds(start)}`)
      .join(" · ");
    const width = Math.max(20, (this.stream.columns ?? 80) - 1);
    this.stream.write(`\r\x1b[K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
  }
}

function seconds(start: number): string {
  return `${Math.round((Date.now() - start) / 1000)} s`;
}
