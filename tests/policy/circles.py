"""Circles of a directed graph, for the checks of #include lines and of calls: {node: set of the nodes it
needs}."""


def components(graph):
    """The sets of nodes that reach each other, of more than one node (Tarjan, without recursion)."""
    number, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(graph):
        if root in number:
            continue
        work = [(root, iter(sorted(graph[root])))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    group = set()
                    while node not in group:
                        group.add(stack.pop())
                    on_stack -= group
                    if len(group) > 1:
                        found.append(group)
    return found


def shortest(graph, group):
    """A shortest circle inside such a set: its nodes in order, the first one again at the end."""
    best = None
    for start in sorted(group):
        before, level = {start: None}, [start]
        while level and start not in (closing := {o for n in level for o in graph[n]}):
            reached = {o: n for n in sorted(level)
                       for o in sorted(graph[n]) if o in group and o not in before}
            before.update(reached)
            level = list(reached)
        if level and start in closing:
            node = next(n for n in sorted(level) if start in graph[n])
            path = [start]
            while node is not None:
                path.append(node)
                node = before[node]
            if best is None or len(path) < len(best):
                best = path[::-1]
    return best
