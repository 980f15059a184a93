// Prints the errors that GitHub's own parser reports for an action or a workflow, as JSON: node validate.mjs action|workflow FILE
import { readFileSync } from "node:fs";
import { register } from "node:module";

// The parser imports its schemas as JSON in a way that bundlers accept and Node.js refuses.
const asJson =
  "export const load = (url, context, next) =>" +
  ' next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);';
register(`data:text/javascript,${encodeURIComponent(asJson)}`);

const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
const { parseAction } = await import("@actions/workflow-parser/actions/index");

const [kind, name] = process.argv.slice(2);
const parse = kind === "action" ? parseAction : parseWorkflow;
const { context } = parse({ name, content: readFileSync(name, "utf8") }, new NoOperationTraceWriter());
console.log(JSON.stringify(context.errors.getErrors().map(({ message }) => message)));
