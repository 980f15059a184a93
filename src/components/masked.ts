import { withoutEnd } from "../text";
import * as pulumi from "@pulumi/pulumi";
import { parseAddress, parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import type { Secret } from "./settled";
import { hasCredentials } from "../proxy/settings";

const MASK = "[secret]";
const SILENT_REMEDY = "correct it at its source: showing what to write would reveal the secret";

/** Faults without secrets, and without anything that secrets could be guessed from. Text that is not secret stays readable. */
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

/** Whether a fault is about a secret or a part of it. */
function isWithin(path: string, secretPath: string): boolean {
  const place = path.replaceAll(/\["([^"]*)"\]/g, ".$1");
  return place === secretPath || place.startsWith(`${secretPath}.`) || place.startsWith(`${secretPath}[`);
}

/** Replaces secrets in a text, whether they appear as they are, in quotes, shortened, or as the address or CIDR block that they denote. */
function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const forms = new Set(secrets.flatMap(({ values }) => values.flatMap(formsOf)));
  forms.delete("");
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const whole = longestFirst.reduce((rest, form) => rest.replaceAll(asWord(form), MASK), text);
  const long = longestFirst.filter((form) => form.length > SHORTENED);
  return long.reduce((rest, form) => rest.replaceAll(beginning(form), MASK), whole);
}

/** The forms in which messages may show a text. */
function formsOf(secret: string): string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return [secret, quoted(secret), ...addressForms(secret)];
}

/** The block around an address or in a CIDR block, and the address by itself if the text is not about all others in the block. */
function addressForms(secret: string): string[] {
  const { prefix } = parsePrefix(secret, { hostBits: "clear" });
  const { address } = parseAddress(prefix ? secret.slice(0, secret.indexOf("/")) : secret);
  const isOfOne =
    address !== undefined && (address.text !== prefix?.first() || prefix.first() === prefix.last());
  return [...(prefix ? [prefix.text] : []), ...(isOfOne ? [address.text] : [])];
}

/** Fewer characters than any message shows of a text that is too long for it. */
const SHORTENED = 24;

/** Matches a text as a whole word: a secret `a` is not in `has`. */
function asWord(text: string): RegExp {
  const before = /^\w/.test(text) ? "(?<!\\w)" : "";
  const after = /\w$/.test(text) ? "(?!\\w)" : "";
  return new RegExp(`${before}${escaped(text)}${after}`, "gi");
}

/** Matches the shortened form of a long text: its first part, up to the dots. */
const beginning = (text: string) => new RegExp(`${escaped(text.slice(0, SHORTENED))}[^]*?(?:\\.{3}|$)`, "gi");

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The problem of a fault about a secret, without quoted text and without words that reveal its value. */
function withoutTelling(problem: string, own: readonly string[]): string {
  return problem
    .replaceAll(QUOTED, MASK)
    .split(" ")
    .map((word) => (words(word).some((bare) => own.some((secret) => isTelling(bare, secret))) ? MASK : word))
    .join(" ");
}

/** Text in quotes, or everything after a quote that is not closed: this hides more, and the regex never searches for an end again. */
const QUOTED = /"(?:[^"\\]|\\[^])*\\?(?:"|$)/g;

/** The words of a text without the punctuation around them. */
function words(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => bareWord(word))
    .filter((word) => word !== "");
}

/** A dot is punctuation only at the end of the word. */
const bareWord = (word: string): string => {
  const bare = word.endsWith(".") ? word.slice(0, -1) : withoutEnd(word, `"'),;:`);
  return bare.replace(/^["'(,;:]+/, "");
};

const ADDRESS = /\d\.\d|\d\/\d|:[0-9a-f]*:/i;
const SCHEME = /^https?:\/{0,2}$/;

/** Whether a word looks as if it came from a secret: an address, or a piece of the secret. */
function isTelling(word: string, secret: string): boolean {
  if (SCHEME.test(word)) return false;
  const [said, kept] = [word.toLowerCase(), secret.toLowerCase()];
  if (said === kept || ADDRESS.test(word)) return true;
  return sharesRun(said, kept, /^[a-z'’-]+$/.test(said) ? 6 : 4);
}

/** Whether two texts share a run of at least `length` characters. */
function sharesRun(a: string, b: string, length: number): boolean {
  for (let start = 0; start + length <= a.length; start += 1)
    if (b.includes(a.slice(start, start + length))) return true;
  return false;
}

/** Settings as the state may hold them: their kubeconfig is a secret. */
export const sealedKubeconfig = <T extends { kubeconfig?: pulumi.Input<string> }>(settings: T): T =>
  settings?.kubeconfig === undefined
    ? settings
    : { ...settings, kubeconfig: pulumi.secret(settings.kubeconfig) };

/** A URL, as a secret if it holds credentials. */
export function secretWithCredentials(url: pulumi.Input<string>): pulumi.Input<string> {
  if (typeof url === "string") return hasCredentials(url) ? pulumi.secret(url) : url;
  return pulumi
    .output(url)
    .apply((known) => (hasCredentials(known) ? pulumi.secret(known) : pulumi.output(known)));
}
