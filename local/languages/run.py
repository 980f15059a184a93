"""Deploys a program in Python by the Automation API, which needs no language host: run.py FOLDER PROGRAM STACK.

In FOLDER is the Pulumi.yaml that names the package. Prints, as JSON, the resources that it made and those that a second preview would
still change.
"""

import json
import runpy
import sys

from pulumi import automation

folder, program, name = sys.argv[1:]
stack = automation.create_or_select_stack(
    stack_name=name,
    project_name="languages",
    program=lambda: runpy.run_path(program),
    opts=automation.LocalWorkspaceOptions(work_dir=folder),
)
stack.up(on_output=lambda line: print(line, file=sys.stderr))
resources = stack.export_stack().deployment["resources"]
again = stack.preview().change_summary
print(
    json.dumps(
        {
            "resources": [resource["urn"].split("::", 2)[2] for resource in resources],
            "changes": {str(kind): count for kind, count in again.items() if kind != automation.OpType.SAME},
        }
    )
)
stack.destroy(exclude_protected=True)
