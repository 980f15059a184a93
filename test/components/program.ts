import { AsyncLocalStorage, createHook } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

import "../promisesWithoutStacks";

/** A resource that a program registered. */
export interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** What a program did. */
export interface Run<T> {
  result: T;
  resources: Registered[];
  /** The custom resources, without the components around them. */
  objects: Registered[];
  warnings: string[];
  /** What it said beside warnings. */
  notes: string[];
  /** What went wrong after the program's last line. */
  failures: string[];
}

/** How a program runs. */
export interface Running {
  preview?: boolean;
  project?: string;
  /** Sees each resource with the provider that it goes to. */
  seen?: (resource: { type: string; provider?: string }) => void;
  /** Id and outputs of a resource. Defaults to its name and its inputs. */
  answer?: (
    type: string,
    name: string,
    inputs: Record<string, unknown>,
  ) => { id: string; state: Record<string, unknown> };
}

const itsInputs: NonNullable<Running["answer"]> = (_type, name, state) => ({ id: `${name}-id`, state });

/** Runs a program against mocks until everything that it registered is done. */
export async function run<T>(
  body: () => T,
  { preview = false, project = "project", answer = itsInputs, seen }: Running = {},
): Promise<Run<T>> {
  const resources: Registered[] = [];
  const warnings: string[] = [];
  const warn = jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
    warnings.push(text);
    return Promise.resolve();
  });
  const notes: string[] = [];
  const info = jest.spyOn(pulumi.log, "info").mockImplementation((text) => {
    notes.push(text);
    return Promise.resolve();
  });
  const rejections = watchRejections();
  try {
    await pulumi.runtime.setMocks(
      {
        newResource: ({ type, name, inputs, provider }) => {
          seen?.({ type, ...(provider && { provider }) });
          resources.push({ type, name, inputs: inputs as Record<string, unknown> });
          return answer(type, name, inputs as Record<string, unknown>);
        },
        call: () => ({}),
      },
      project,
      "stack",
      preview,
    );
    const result = rejections.of(body);
    const failures = await rejections.all();
    const objects = resources.filter(({ type }) => !type.startsWith("hypershift-network:"));
    return { result, resources, objects, warnings, notes, failures };
  } finally {
    await rejections.all();
    warn.mockRestore();
    info.mockRestore();
  }
}

/** Marks what a program started, also long after its last line. */
const ofProgram = new AsyncLocalStorage<object>();

/**
 * Finds out what goes wrong after a program's last line. A wrong Output rejects several promises, which the engine's host
 * reports once and jest would take for failures of the test: here all of them are handled and their messages returned.
 * A test file that ran before in this process may still have promises of its own, which say nothing of the program.
 */
function watchRejections(): { of: <T>(body: () => T) => T; all: () => Promise<string[]> } {
  const program = {};
  const messages = new Set<string>();
  let isOurs = false;
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type !== "PROMISE" || isOurs || ofProgram.getStore() !== program) return;
      // What handles a promise is one too. None is kept: a preview of many components has millions.
      isOurs = true;
      (resource as Promise<unknown>).catch((reason: Error) => messages.add(reason.message));
      isOurs = false;
    },
  }).enable();
  return {
    of: (body) => ofProgram.run(program, body),
    all: async () => {
      await ofProgram.run(program, () => pulumi.runtime.disconnect());
      await new Promise((resolve) => setTimeout(resolve, 20));
      hook.disable();
      return [...messages];
    },
  };
}

/** A value that a preview does not know. */
export const unknownValue = <T>(): pulumi.Output<T> =>
  pulumi.output(pulumi.unknown) as unknown as pulumi.Output<T>;
