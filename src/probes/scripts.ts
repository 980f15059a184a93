import { PROBE } from "../requirements/probes";

/**
 * Answers every GET with the name of the pod, in both address families if the node has both. For
 * Python 3.8 and newer; `python3 -m http.server` would listen in only one family there.
 */
export const SERVER_SCRIPT = `
import http.server, os, socket

class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = socket.gethostname().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET

    def server_bind(self):
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()

Server(("", int(os.environ.get("PORT", "${PROBE.targetPort}"))), Answer).serve_forever()
`.trimStart();

/**
 * Makes the requests in the variable REQUESTS, and exits with 0 if each was answered, or if DECIDES is "no". Makes all requests
 * at once, because a dropped request takes its whole time limit. Results go to the log and, as JSON, to the termination message,
 * which everyone who may read the pod can read; they are written after each answer, so that a timeout does not lose them.
 *
 * @param functions of more kinds of requests
 * @param kinds their entries in the table of kinds
 */
export const clientScript = (functions: string, kinds: string) =>
  `
import concurrent.futures, http.client, json, os, socket, struct, sys, threading, time

def http_request(request, address, port):
    connection = http.client.HTTPConnection(address, port, timeout=request["timeout"])
    connection.request("GET", "/")
    answer = connection.getresponse()
    if answer.status != 200:
        raise OSError("status %d, which no probe answers" % answer.status)
    name = answer.read(200).decode("ascii", "replace")
    if name not in request["answers"]:
        raise OSError("answered by something else than " + " or ".join(request["answers"]))
    return "answered by " + name

def tcp_request(request, address, port):
    with socket.create_connection((address, port), request["timeout"]) as connection:
        return "connected to " + connection.getpeername()[0]

def question(name):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack(">6H", 4711, 256, 1, 0, 0, 0) + labels + b"\\0" + struct.pack(">2H", 1, 1)

def dns_request(request, address, port):
    asked = question(request["name"])
    kind = socket.SOCK_STREAM if request["protocol"] == "TCP" else socket.SOCK_DGRAM
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, kind) as connection:
        connection.settimeout(request["timeout"])
        connection.connect((address, port))
        connection.sendall(struct.pack(">H", len(asked)) + asked if kind == socket.SOCK_STREAM else asked)
        answer = connection.recv(4096)
    if (answer[2:4] if kind == socket.SOCK_STREAM else answer[:2]) != asked[:2]:
        raise OSError("no answer of DNS")
    return "answered by " + address

def resolvers():
    with open(os.environ.get("RESOLV_CONF", "/etc/resolv.conf")) as lines:
        words = [line.split() for line in lines]
    return [entry[1] for entry in words if len(entry) > 1 and entry[0] == "nameserver"]

${functions}def described(error, request):
    if isinstance(error, socket.timeout):
        return "no answer within %d seconds" % request["timeout"]
    if isinstance(error, socket.gaierror):
        return "the name is not resolved"
    if isinstance(error, ConnectionRefusedError):
        return "refused"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__

def endpoints(request):
    if request.get("address"):
        return [(one["address"], one["port"]) for one in [request] + request.get("others", [])]
    return [(address, request["port"]) for address in resolvers()] if request["kind"] == "dns" else []

def attempt(request):
    ends = endpoints(request)
    if not ends:
        return False, request.get("absent", "no address")
    for left in range(len(ends) - 1, -1, -1):
        try:
            return True, KINDS[request["kind"]](request, *ends[-1 - left])
        except OSError:
            if left == 0:
                raise

def tried(request):
    for left in range(request["attempts"] - 1, -1, -1):
        try:
            return attempt(request)
        except Exception as error:
            if left == 0:
                return False, described(error, request)
            time.sleep(request["pause"])

KINDS = {"http": http_request, "tcp": tcp_request, "dns": dns_request${kinds}}
requests = json.loads(os.environ["REQUESTS"])
results = {}
lock = threading.Lock()

def written():
    text = json.dumps([results[index] for index in sorted(results)], separators=(",", ":"))
    try:
        with open(os.environ.get("RESULTS", "/dev/termination-log"), "w") as file:
            file.write(text)
    except OSError as error:
        print("the results cannot be written:", error, file=sys.stderr)

def answer(index):
    request = requests[index]
    done, found = tried(request)
    with lock:
        results[index] = [request["id"], done, found]
        print("ok    " if done else "failed", request["id"], found, flush=True)
        written()

with concurrent.futures.ThreadPoolExecutor(max(1, len(requests))) as pool:
    list(pool.map(answer, range(len(requests))))
decides = os.environ.get("DECIDES", "yes") == "yes"
sys.exit(1 if decides and not all(done for _, done, _ in results.values()) else 0)
`.trimStart();

/** The script that makes requests. */
export const CLIENT_SCRIPT = clientScript("", "");
