def compile_start(target, lock):
    pass
