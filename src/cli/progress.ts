import { tell, type Terminal } from "./terminal";

/** After this many milliseconds a user who waits wants to know for what. */
const PATIENCE = 1_000;
/** Reading more bytes takes longer than that by itself. */
const MUCH = 128 * 1024 * 1024;

/** Says on standard error what takes long, only to people at a terminal. */
export class Progress {
  readonly #start: number;

  constructor(readonly terminal: Terminal) {
    this.#start = terminal.now();
  }

  reading(file: string, bytes = 0): void {
    const size = bytes >= 1024 * 1024 ? ` (${Math.round(bytes / 1024 / 1024)} MiB)` : "";
    this.#say(`reading ${file}${size}`, bytes > MUCH);
  }

  judging(resources: number): void {
    this.#say(`judging ${resources} resources`);
  }

  #say(what: string, isLong = false): void {
    const { terminal } = this;
    if (terminal.isWatched && (isLong || terminal.now() - this.#start > PATIENCE))
      tell(terminal, `hypershift-network: ${what} ...`);
  }
}
