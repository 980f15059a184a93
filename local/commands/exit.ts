/** Ends the process with a command's exit status; prints an error without its stack unless `DEBUG` is set. */
export function exitWith(command: Promise<number>): void {
  command.then(
    (status) => process.exit(status),
    (error: unknown) => {
      console.error(process.env.DEBUG && error instanceof Error ? error.stack : messageOf(error));
      process.exit(1);
    },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
