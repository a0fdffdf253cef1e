! Reads namelist files, whose names stand on standard input, one a line, with the compiler's own reader and
! prints what it got. The group and its defaults are those of differential.c.
program differential
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: text = 255
    integer :: i, k(4), a(2, 2), status, unit, n
    real(real64) :: x, y(3)
    logical :: l, m(3)
    character(len=text) :: s, q(2)
    character(len=1000) :: path, message
    namelist /g/ i, k, a, x, y, l, m, s, q

    do
        read (*, '(a)', iostat=status) path
        if (status /= 0) exit
        i = 9; k = 9; a = 9; x = 9; y = 9; l = .false.; m = .true.; s = 'old'; q = 'old'
        open (newunit=unit, file=trim(path), status='old', action='read')
        read (unit, nml=g, iostat=status, iomsg=message)
        close (unit)
        if (status /= 0) then
            write (*, '(2a)') 'refused ', trim(message)
            cycle
        end if
        write (*, '(a)', advance='no') 'read'
        write (*, '(9(1x,i0))', advance='no') i, k, a
        write (*, '(4(1x,z16.16))', advance='no') transfer(x, 0_int64), (transfer(y(n), 0_int64), n=1, 3)
        write (*, '(4(1x,l1))', advance='no') l, m
        call put(s)
        do n = 1, 2
            call put(q(n))
        end do
        write (*, '(a)') ''
        flush (6)
    end do

contains

    ! In hexadecimal, without the blanks that Fortran adds at the end.
    subroutine put(value)
        character(len=*), intent(in) :: value
        integer :: c
        write (*, '(a)', advance='no') ' x'
        do c = 1, len_trim(value)
            write (*, '(z2.2)', advance='no') ichar(value(c:c))
        end do
    end subroutine put
end program differential
