import { withoutEnd } from "../text";
import * as pulumi from "@pulumi/pulumi";
import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import type { Secret } from "./settled";
import { hasCredentials } from "../proxy/settings";

const MASK = "[secret]";
const SILENT_REMEDY = "correct it where it is made: what to write would tell the secret";

/** Faults without secrets, and without what secrets could be guessed from. What is no secret stays readable. */
export function masked(faults: readonly Fault[], secrets: readonly Secret[]): Fault[] {
  if (secrets.length === 0) return [...faults];
  return faults.map(({ path, problem, remedy }) => {
    const own = secrets.filter((secret) => isWithin(path, secret.path)).flatMap(({ values }) => values);
    const tells = words(remedy).some((word) => own.some((secret) => isTelling(word, secret)));
    return {
      path,
      problem: withoutSecrets(own.length > 0 ? withoutTelling(problem, own) : problem, secrets),
      remedy: own.length > 0 && tells ? SILENT_REMEDY : withoutSecrets(remedy, secrets),
    };
  });
}

/** Whether a fault is one of a secret or of a part of it. */
function isWithin(path: string, secretPath: string): boolean {
  const place = path.replaceAll(/\["([^"]*)"\]/g, ".$1");
  return place === secretPath || place.startsWith(`${secretPath}.`) || place.startsWith(`${secretPath}[`);
}

/** Replaces secrets wherever a text has them as they are, in quotes, shortened, or as the block that they mean. */
function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const forms = new Set(secrets.flatMap(({ values }) => values.flatMap(formsOf)));
  forms.delete("");
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const whole = longestFirst.reduce((rest, form) => rest.replaceAll(asWord(form), MASK), text);
  const long = longestFirst.filter((form) => form.length > SHORTENED);
  return long.reduce((rest, form) => rest.replaceAll(beginning(form), MASK), whole);
}

/** How messages may show a text. */
function formsOf(secret: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const block = parsePrefix(secret).prefix?.text;
  return [secret, quoted(secret), ...(block === undefined ? [] : [block])];
}

/** Fewer characters than any message shows of a text that is too long for it. */
const SHORTENED = 24;

/** A text where it stands for itself: a secret `a` is not in `has`. */
function asWord(text: string): RegExp {
  const before = /^\w/.test(text) ? "(?<!\\w)" : "";
  const after = /\w$/.test(text) ? "(?!\\w)" : "";
  return new RegExp(`${before}${escaped(text)}${after}`, "gi");
}

/** A long text of which a message shows the first part, up to the dots that say so. */
const beginning = (text: string) => new RegExp(`${escaped(text.slice(0, SHORTENED))}[^]*?(?:\\.{3}|$)`, "gi");

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** What a fault of a secret says of its value, without what is quoted and without words that tell it. */
function withoutTelling(problem: string, own: readonly string[]): string {
  return problem
    .replaceAll(QUOTED, MASK)
    .split(" ")
    .map((word) => (words(word).some((bare) => own.some((secret) => isTelling(bare, secret))) ? MASK : word))
    .join(" ");
}

/** A text in quotes, or what begins with one that nothing ends: more is hidden then, and no end is looked for again. */
const QUOTED = /"(?:[^"\\]|\\[^])*\\?(?:"|$)/g;

/** The words of a text without the punctuation around them. */
function words(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => bareWord(word))
    .filter((word) => word !== "");
}

/** A dot is punctuation only where it ends the word. */
const bareWord = (word: string): string => {
  const bare = word.endsWith(".") ? word.slice(0, -1) : withoutEnd(word, `"'),;:`);
  return bare.replace(/^["'(,;:]+/, "");
};

const ADDRESS = /\d\.\d|\d\/\d|:[0-9a-f]*:/i;
const SCHEME = /^https?:\/{0,2}$/;

/** Whether a word was made from a secret, as far as the look of it says: an address, or a piece of the secret. */
function isTelling(word: string, secret: string): boolean {
  if (SCHEME.test(word)) return false;
  const [said, kept] = [word.toLowerCase(), secret.toLowerCase()];
  if (said === kept || ADDRESS.test(word)) return true;
  return sharesRun(said, kept, /^[a-z'’-]+$/.test(said) ? 6 : 4);
}

/** Whether two texts have so many characters in a row in common. */
function sharesRun(a: string, b: string, length: number): boolean {
  for (let start = 0; start + length <= a.length; start += 1)
    if (b.includes(a.slice(start, start + length))) return true;
  return false;
}

/** Settings as they may stand in the state: their kubeconfig is a secret. */
export const sealedKubeconfig = <T extends { kubeconfig?: pulumi.Input<string> }>(settings: T): T =>
  settings?.kubeconfig === undefined
    ? settings
    : { ...settings, kubeconfig: pulumi.secret(settings.kubeconfig) };

/** A URL that is a secret where it holds credentials. */
export function secretWithCredentials(url: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof url === "string") return hasCredentials(url) ? pulumi.secret(url) : url;
  return pulumi
    .output(url)
    .apply((known) => (hasCredentials(known) ? pulumi.secret(known) : pulumi.output(known)));
}
