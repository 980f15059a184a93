import { AsyncLocalStorage, createHook } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

import "../promisesWithoutStacks";

/** A resource that a program registered. */
export interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** The outcome of a program. */
export interface Run<T> {
  result: T;
  resources: Registered[];
  /** The custom resources, without the components around them. */
  objects: Registered[];
  warnings: string[];
  /** Messages other than warnings. */
  notes: string[];
  /** Errors after the program's last line. */
  failures: string[];
}

/** How a program runs. */
export interface Running {
  preview?: boolean;
  project?: string;
  /** Called with each resource and its provider. */
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

/** Marks everything that a program started, even long after its last line. */
const ofProgram = new AsyncLocalStorage<object>();

/**
 * Collects errors after a program's last line. An invalid Output rejects several promises, which the engine's host
 * reports once, but jest would count as failures of the test: all of them are handled here and their messages
 * returned. Promises of a test file that ran earlier in this process are ignored.
 */
function watchRejections(): { of: <T>(body: () => T) => T; all: () => Promise<string[]> } {
  const program = {};
  const messages = new Set<string>();
  let isOurs = false;
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type !== "PROMISE" || isOurs || ofProgram.getStore() !== program) return;
      // catch() creates a promise as well. None is kept: a preview of many components has millions.
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
